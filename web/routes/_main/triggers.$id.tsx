import { createFileRoute } from '@tanstack/react-router'
import { triggerSearch } from '#web/areas/triggers/search.ts'
import { TriggerPage } from '#web/areas/triggers/TriggerPage.tsx'

export const Route = createFileRoute('/_main/triggers/$id')({
  staticData: { title: 'Trigger' },
  validateSearch: triggerSearch,
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <TriggerPage
      id={Route.useParams().id}
      search={Route.useSearch()}
      onSearch={(search) => navigate({ search, replace: true })}
    />
  )
}
