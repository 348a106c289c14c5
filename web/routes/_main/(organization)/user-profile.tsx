import { createFileRoute, redirect } from '@tanstack/react-router'
import { platformOf } from '#contract/access/platform.ts'
import { session } from '../../../api/session.ts'
import { loadSettings } from '../../../api/settings.ts'
import { ProfilePage } from '../../../areas/account/ProfilePage.tsx'

export const Route = createFileRoute('/_main/(organization)/user-profile')({
  staticData: { title: 'Update profile' },
  // SSO users, and everybody in cloud, have it as a tab of their account.
  beforeLoad: async (): Promise<void> => {
    const { PLATFORM_TYPE } = await loadSettings()
    if (session.isSSO || platformOf(PLATFORM_TYPE) === 'cloud') {
      throw redirect({ to: '/account', search: { tab: 'profile' }, replace: true })
    }
  },
  component: ProfilePage,
})
