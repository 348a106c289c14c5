import { createFileRoute } from '@tanstack/react-router'
import { SetupPage } from '../../areas/auth/SetupPage.tsx'

export const Route = createFileRoute('/_auth/setup')({
  codeSplitGroupings: [],
  staticData: { title: 'Set up Heddle' },
  component: SetupPage,
})
