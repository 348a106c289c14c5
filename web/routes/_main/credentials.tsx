import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { CredentialsPage } from '../../areas/credentials/CredentialsPage.tsx'

export const Route = createFileRoute('/_main/credentials')({
  staticData: areaOf('/credentials'),
  component: CredentialsPage,
})
