import { createFileRoute } from '@tanstack/react-router'
import { FlowViewers } from '#web/areas/triggers/FlowViewers.tsx'
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
    <FlowViewers>
      <TriggerPage
        id={Route.useParams().id}
        search={Route.useSearch()}
        onSearch={(search) => navigate({ search, replace: true })}
      />
    </FlowViewers>
  )
}
