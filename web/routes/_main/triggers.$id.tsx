import { createFileRoute } from '@tanstack/react-router'
import { RequireFlowAccess } from '../../areas/triggers/RequireFlowAccess.tsx'
import { triggerSearch } from '../../areas/triggers/search.ts'
import { TriggerPage } from '../../areas/triggers/TriggerPage.tsx'

export const Route = createFileRoute('/_main/triggers/$id')({
  staticData: { title: 'Trigger' },
  validateSearch: triggerSearch,
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <RequireFlowAccess>
      <TriggerPage
        id={Route.useParams().id}
        search={Route.useSearch()}
        onSearch={(search) => navigate({ search, replace: true })}
      />
    </RequireFlowAccess>
  )
}
