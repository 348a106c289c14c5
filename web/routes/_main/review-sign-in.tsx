import { createFileRoute } from '@tanstack/react-router'
import { SignInReviewPage } from '../../areas/security/SignInReviewPage.tsx'

export const Route = createFileRoute('/_main/review-sign-in')({
  staticData: { title: 'What opens your account' },
  component: SignInReviewPage,
})
