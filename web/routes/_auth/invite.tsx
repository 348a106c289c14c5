import { createFileRoute } from '@tanstack/react-router'
import { AcceptInvitationPage } from '../../areas/users/AcceptInvitationPage.tsx'

export const Route = createFileRoute('/_auth/invite')({
  staticData: { title: 'Accept an invitation' },
  component: AcceptInvitationPage,
})
