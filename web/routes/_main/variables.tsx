import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { VariablesPage } from '../../areas/variables/VariablesPage.tsx'

export const Route = createFileRoute('/_main/variables')({
  staticData: areaOf('/variables'),
  component: VariablesPage,
})
