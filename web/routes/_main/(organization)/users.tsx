import { createFileRoute } from '@tanstack/react-router'
import { UsersPage } from '../../../areas/users/UsersPage.tsx'

export const Route = createFileRoute('/_main/(organization)/users')({
  staticData: { title: 'Users', permission: 'users:manage', feature: 'feat:users', adminOnly: true },
  component: UsersPage,
})
