import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { SignInsPage } from '../../../areas/records/SignInsPage.tsx'

export const Route = createFileRoute('/_main/(organization)/login-activity')({
  staticData: areaOf('/login-activity'),
  component: SignInsPage,
})
