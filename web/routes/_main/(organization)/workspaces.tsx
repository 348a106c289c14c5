import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { WorkspacesPage } from '../../../areas/workspaces/WorkspacesPage.tsx'

export const Route = createFileRoute('/_main/(organization)/workspaces')({
  staticData: areaOf('/workspaces'),
  component: WorkspacesPage,
})
