import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { FilesPage } from '../../areas/files/FilesPage.tsx'

export const Route = createFileRoute('/_main/files')({
  staticData: areaOf('/files'),
  component: FilesPage,
})
