import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordPage } from '../../areas/auth/ResetPasswordPage.tsx'

export const Route = createFileRoute('/_auth/reset-password')({
  staticData: { title: 'Choose a new password' },
  component: ResetPasswordPage,
})
