import { createFileRoute } from '@tanstack/react-router'
import { FailedPage } from '../../areas/triggers/FailedPage.tsx'
import { RequireFlowAccess } from '../../areas/triggers/RequireFlowAccess.tsx'

export const Route = createFileRoute('/_main/triggers/failed')({
  staticData: { title: 'Failed deliveries' },
  component: Page,
})

function Page() {
  return (
    <RequireFlowAccess>
      <FailedPage />
    </RequireFlowAccess>
  )
}
