import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { ExecutionsPage } from '../../../areas/executions/ExecutionsPage.tsx'
import { executionsSearch } from '../../../areas/executions/search.ts'

export const Route = createFileRoute('/_main/executions/')({
  staticData: areaOf('/executions'),
  validateSearch: executionsSearch,
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  const { page = 1, ...filters } = Route.useSearch()
  return (
    <ExecutionsPage
      filters={filters}
      page={page}
      onChange={(changed, nextPage) => navigate({ search: { ...changed, page: nextPage } })}
    />
  )
}
