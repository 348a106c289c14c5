import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { RolesPage } from '../../../areas/roles/RolesPage.tsx'

export const Route = createFileRoute('/_main/(organization)/roles')({
  staticData: areaOf('/roles'),
  component: RolesPage,
})
