import { createFileRoute } from '@tanstack/react-router'
import { CustomAssistantPage } from '../../areas/assistants/custom/CustomAssistantPage.tsx'

export const Route = createFileRoute('/_main/assistants/custom/$id')({
  staticData: { title: 'Assistant', permission: 'assistants:view' },
  component: Page,
})

function Page() {
  const { id } = Route.useParams()
  return <CustomAssistantPage key={id} id={id} />
}
