import { createFileRoute } from '@tanstack/react-router'
import { VerifyPage } from '../../areas/auth/VerifyPage.tsx'

export const Route = createFileRoute('/_auth/verify')({
  staticData: { title: 'Confirm your address' },
  component: VerifyPage,
})
