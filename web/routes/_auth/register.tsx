import { createFileRoute } from '@tanstack/react-router'
import { RegisterPage } from '../../areas/auth/RegisterPage.tsx'

export const Route = createFileRoute('/_auth/register')({
  codeSplitGroupings: [],
  staticData: { title: 'Create your account' },
  component: RegisterPage,
})
