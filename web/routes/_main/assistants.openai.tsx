import { createFileRoute } from '@tanstack/react-router'
import { ProviderAssistantsPage } from '../../areas/assistants/provider/ProviderAssistantsPage.tsx'

export const Route = createFileRoute('/_main/assistants/openai')({
  staticData: { title: 'OpenAI and Azure assistants', permission: 'assistants:view' },
  component: ProviderAssistantsPage,
})
