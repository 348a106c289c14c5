import { createFileRoute } from '@tanstack/react-router'
import { CustomAssistantsPage } from '../../areas/assistants/custom/CustomAssistantsPage.tsx'

export const Route = createFileRoute('/_main/assistants/custom/')({
  staticData: { title: 'Custom assistants', permission: 'assistants:view' },
  component: CustomAssistantsPage,
})
