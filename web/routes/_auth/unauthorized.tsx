import { createFileRoute } from '@tanstack/react-router'
import { UnauthorizedPage } from '../../areas/auth/UnauthorizedPage.tsx'

export const Route = createFileRoute('/_auth/unauthorized')({
  codeSplitGroupings: [],
  staticData: { title: 'No access' },
  component: UnauthorizedPage,
})
