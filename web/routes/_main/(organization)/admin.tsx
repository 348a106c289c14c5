import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { AdminPage } from '../../../shell/admin/AdminPage.tsx'

export const Route = createFileRoute('/_main/(organization)/admin')({
  staticData: areaOf('/admin'),
  component: AdminPage,
})
