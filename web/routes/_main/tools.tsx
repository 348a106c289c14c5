import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { ToolsPage } from '../../areas/tools/ToolsPage.tsx'

export const Route = createFileRoute('/_main/tools')({
  staticData: areaOf('/tools'),
  component: ToolsPage,
})
