import { createFileRoute } from '@tanstack/react-router'
import { UnsupportedFlowsPage } from '../../areas/agentflows/UnsupportedFlowsPage.tsx'

export const Route = createFileRoute('/_main/agentflows/unsupported')({
  staticData: { title: 'Unsupported flows', permission: 'chatflows:view' },
  validateSearch: ({ flow }: Record<string, unknown>): { flow?: string } => (typeof flow === 'string' ? { flow } : {}),
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <UnsupportedFlowsPage
      open={Route.useSearch().flow}
      onOpen={(flow) => navigate({ search: flow === undefined ? {} : { flow } })}
    />
  )
}
