import { createFileRoute } from '@tanstack/react-router'
import { SignInsPage } from '../../../areas/records/SignInsPage.tsx'

export const Route = createFileRoute('/_main/(organization)/login-activity')({
  staticData: {
    title: 'Login activity',
    permission: 'loginActivity:view',
    feature: 'feat:login-activity',
    adminOnly: true,
  },
  component: SignInsPage,
})
