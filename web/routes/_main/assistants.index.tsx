import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { AssistantsPage } from '../../areas/assistants/AssistantsPage.tsx'

export const Route = createFileRoute('/_main/assistants/')({
  staticData: areaOf('/assistants'),
  component: AssistantsPage,
})
