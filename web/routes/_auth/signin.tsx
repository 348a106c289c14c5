import { createFileRoute } from '@tanstack/react-router'
import { SignInPage } from '../../areas/auth/SignInPage.tsx'
import { type SignInSearch, signInSearch } from '../../shell/redirect-param.ts'

export const Route = createFileRoute('/_auth/signin')({
  codeSplitGroupings: [],
  staticData: { title: 'Sign in' },
  validateSearch: (search): SignInSearch => signInSearch(search),
  component: () => {
    const { next, sso } = Route.useSearch()
    return <SignInPage next={next} refusal={sso} />
  },
})
