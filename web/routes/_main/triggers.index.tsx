import { IconBolt } from '@tabler/icons-react'
import { createFileRoute } from '@tanstack/react-router'
import { triggersSearch } from '#web/areas/triggers/search.ts'
import { TriggersPage } from '#web/areas/triggers/TriggersPage.tsx'

export const Route = createFileRoute('/_main/triggers/')({
  staticData: {
    title: 'Triggers',
    menu: { group: 'Build', icon: IconBolt, description: 'What starts flows by itself: the clock, and requests' },
  },
  validateSearch: triggersSearch,
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  const { page = 1, ...filters } = Route.useSearch()
  return (
    <TriggersPage
      filters={filters}
      page={page}
      onChange={(changed, nextPage) => navigate({ search: { ...changed, page: nextPage } })}
    />
  )
}
