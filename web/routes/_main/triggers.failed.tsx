import { createFileRoute } from '@tanstack/react-router'
import { FailedPage } from '#web/areas/triggers/FailedPage.tsx'
import { FlowViewers } from '#web/areas/triggers/FlowViewers.tsx'

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
