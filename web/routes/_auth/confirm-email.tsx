import { createFileRoute } from '@tanstack/react-router'
import { ConfirmEmailPage } from '../../areas/auth/ConfirmEmailPage.tsx'

export const Route = createFileRoute('/_auth/confirm-email')({
  staticData: { title: 'Confirm your new address' },
  component: ConfirmEmailPage,
})
