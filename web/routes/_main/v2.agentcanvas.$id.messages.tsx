import { createFileRoute } from '@tanstack/react-router'
import { MessagesPage } from '../../areas/chatmessages/MessagesPage.tsx'
import { messagesSearch } from '../../areas/chatmessages/search.ts'

export const Route = createFileRoute('/_main/v2/agentcanvas/$id/messages')({
  staticData: { title: 'Messages', permission: 'agentflows:view' },
  validateSearch: messagesSearch,
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <MessagesPage
      flowId={Route.useParams().id}
      search={Route.useSearch()}
      onSearch={(search) => void navigate({ search, resetScroll: false })}
    />
  )
}
