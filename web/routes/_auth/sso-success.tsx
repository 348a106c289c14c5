import { createFileRoute } from '@tanstack/react-router'
import { SsoSuccessPage } from '../../areas/auth/SsoSuccessPage.tsx'
import { type RedirectSearch, redirectSearch } from '../../shell/redirect-param.ts'

export const Route = createFileRoute('/_auth/sso-success')({
  staticData: { title: 'Signing in' },
  validateSearch: (search): RedirectSearch => redirectSearch(search),
  component: () => <SsoSuccessPage next={Route.useSearch().next} />,
})
