import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { UsersPage } from '../../../areas/users/UsersPage.tsx'

export const Route = createFileRoute('/_main/(organization)/users')({
  staticData: areaOf('/users'),
  component: UsersPage,
})
