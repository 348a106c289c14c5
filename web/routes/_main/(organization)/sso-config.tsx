import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { SsoConfigPage } from '../../../areas/sso/SsoConfigPage.tsx'

export const Route = createFileRoute('/_main/(organization)/sso-config')({
  staticData: areaOf('/sso-config'),
  validateSearch: ({ tested }: Record<string, unknown>): { tested?: string } =>
    typeof tested === 'string' ? { tested } : {},
  component: () => <SsoConfigPage tested={Route.useSearch().tested} />,
})
