import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { StoresPage } from '../../areas/document-stores/list/StoresPage.tsx'

export const Route = createFileRoute('/_main/document-stores/')({
  staticData: areaOf('/document-stores'),
  component: StoresPage,
})
