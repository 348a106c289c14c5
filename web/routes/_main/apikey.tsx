import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { ApiKeysPage } from '../../areas/apikeys/ApiKeysPage.tsx'

export const Route = createFileRoute('/_main/apikey')({
  staticData: areaOf('/apikey'),
  component: ApiKeysPage,
})
