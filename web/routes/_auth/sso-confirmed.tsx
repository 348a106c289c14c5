import { createFileRoute } from '@tanstack/react-router'
import { SsoConfirmedPage } from '../../areas/auth/SsoConfirmedPage.tsx'

export const Route = createFileRoute('/_auth/sso-confirmed')({
  staticData: { title: 'Confirmed' },
  validateSearch: ({ failed }: Record<string, unknown>): { failed?: string } =>
    typeof failed === 'string' ? { failed } : {},
  component: () => <SsoConfirmedPage failed={Route.useSearch().failed} />,
})
