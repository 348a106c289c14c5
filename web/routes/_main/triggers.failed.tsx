import { createFileRoute } from '@tanstack/react-router'
import { FailedPage } from '../../areas/triggers/FailedPage.tsx'
import { FlowViewers } from '../../areas/triggers/FlowViewers.tsx'

export const Route = createFileRoute('/_main/triggers/failed')({
  staticData: { title: 'Failed deliveries' },
  component: Page,
})

function Page() {
  return (
    <FlowViewers>
      <FailedPage />
    </FlowViewers>
  )
}
