import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordPage } from '../../areas/auth/ForgotPasswordPage.tsx'

export const Route = createFileRoute('/_auth/forgot-password')({
  staticData: { title: 'Forgot your password?' },
  component: ForgotPasswordPage,
})
