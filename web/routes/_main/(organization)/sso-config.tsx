import { createFileRoute } from '@tanstack/react-router'
import { SsoConfigPage } from '../../../areas/sso/SsoConfigPage.tsx'

export const Route = createFileRoute('/_main/(organization)/sso-config')({
  staticData: { title: 'Single sign-on', permission: 'sso:manage', feature: 'feat:sso-config', adminOnly: true },
  validateSearch: ({ tested }: Record<string, unknown>): { tested?: string } =>
    typeof tested === 'string' ? { tested } : {},
  component: () => <SsoConfigPage tested={Route.useSearch().tested} />,
})
