import { createFileRoute } from '@tanstack/react-router'
import { SignInPage } from '../../areas/auth/SignInPage.tsx'
import { type RedirectSearch, redirectSearch } from '../../shell/redirect-param.ts'

export const Route = createFileRoute('/_auth/login')({
  codeSplitGroupings: [],
  staticData: { title: 'Sign in' },
  validateSearch: (search): RedirectSearch => redirectSearch(search),
  component: () => <SignInPage next={Route.useSearch().next} />,
})
