import { createFileRoute } from '@tanstack/react-router'
import { KeptFlowsPage } from '../../areas/agentflows/KeptFlowsPage.tsx'

export const Route = createFileRoute('/_main/agentflows/kept')({
  staticData: { title: 'Unsupported flows', permission: 'chatflows:view' },
  validateSearch: ({ flow }: Record<string, unknown>): { flow?: string } => (typeof flow === 'string' ? { flow } : {}),
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <KeptFlowsPage
      open={Route.useSearch().flow}
      onOpen={(flow) => navigate({ search: flow === undefined ? {} : { flow } })}
    />
  )
}
