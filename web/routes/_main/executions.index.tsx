import { IconPlayerPlay } from '@tabler/icons-react'
import { createFileRoute } from '@tanstack/react-router'
import { ExecutionsPage } from '#web/areas/executions/ExecutionsPage.tsx'
import { executionsSearch } from '#web/areas/executions/search.ts'

export const Route = createFileRoute('/_main/executions/')({
  staticData: {
    title: 'Executions',
    permission: 'executions:view',
    menu: { group: 'Build', icon: IconPlayerPlay, description: 'What each run did, and what it cost', bottom: true },
  },
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
