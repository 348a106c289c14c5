import { createFileRoute } from '@tanstack/react-router'
import { ChatbotPage } from '../../areas/chatbot/ChatbotPage.tsx'

export const Route = createFileRoute('/_public/chatbot/$id')({
  staticData: { title: 'Chat' },
  component: Page,
})

function Page() {
  return <ChatbotPage id={Route.useParams().id} />
}
