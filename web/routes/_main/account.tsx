import { createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { areaOf } from '#contract/areas.ts'
import { AccountPage } from '../../areas/account/AccountPage.tsx'
import type { AccountTab } from '../../areas/account/tabs.ts'

/** In the order of the page. */
const TABS: readonly AccountTab[] = [
  {
    ...{ id: 'profile', label: 'Profile', isOfAccount: true },
    page: lazy(() => import('../../areas/account/ProfilePanel.tsx')),
  },
  {
    ...{ id: 'security', label: 'Security', isOfAccount: true },
    page: lazy(() => import('../../areas/security/SecurityPanel.tsx')),
  },
  {
    ...{ id: 'emails', label: 'Emails' },
    page: lazy(() => import('../../areas/account/EmailsPanel.tsx')),
  },
  {
    id: 'audit-log',
    label: 'Audit log',
    permission: 'auditLog:view',
    page: lazy(() => import('../../areas/records/AuditPanel.tsx')),
  },
  {
    id: 'login-activity',
    label: 'Login activity',
    permission: 'loginActivity:view',
    feature: 'feat:login-activity',
    page: lazy(() => import('../../areas/records/SignInsPanel.tsx')),
  },
  {
    ...{ id: 'users', label: 'Users', permission: 'users:manage', feature: 'feat:users' },
    page: lazy(() => import('../../areas/users/UsersPanel.tsx')),
  },
  {
    ...{ id: 'roles', label: 'Roles', permission: 'roles:manage', feature: 'feat:roles' },
    page: lazy(() => import('../../areas/roles/RolesPanel.tsx')),
  },
  {
    id: 'identities',
    label: 'Linked sign-ins',
    isOfAccount: true,
    feature: 'feat:sso-config',
    page: lazy(() => import('../../areas/sso/IdentitiesPanel.tsx')),
  },
  {
    id: 'sso',
    label: 'Single sign-on',
    permission: 'sso:manage',
    feature: 'feat:sso-config',
    page: lazy(() => import('../../areas/sso/SsoPanel.tsx')),
  },
]

export const Route = createFileRoute('/_main/account')({
  staticData: areaOf('/account'),
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: string } => (typeof tab === 'string' ? { tab } : {}),
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return <AccountPage tabs={TABS} tab={Route.useSearch().tab} onTab={(tab) => navigate({ search: { tab } })} />
}
