import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { RequireFlowAccess } from '../../areas/triggers/RequireFlowAccess.tsx'
import { triggersSearch } from '../../areas/triggers/search.ts'
import { TriggersPage } from '../../areas/triggers/TriggersPage.tsx'

export const Route = createFileRoute('/_main/triggers/')({
  staticData: areaOf('/triggers'),
  validateSearch: triggersSearch,
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  const { page = 1, ...filters } = Route.useSearch()
  return (
    <RequireFlowAccess>
      <TriggersPage
        filters={filters}
        page={page}
        onChange={(changed, nextPage) => navigate({ search: { ...changed, page: nextPage } })}
      />
    </RequireFlowAccess>
  )
}
