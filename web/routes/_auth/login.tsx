import { createFileRoute } from '@tanstack/react-router'
import { SignInPage } from '#web/areas/auth/SignInPage.tsx'
import { type NextSearch, nextSearch } from '#web/shell/next.ts'

export const Route = createFileRoute('/_auth/login')({
  staticData: { title: 'Sign in' },
  validateSearch: (search): NextSearch => nextSearch(search),
  component: () => <SignInPage next={Route.useSearch().next} />,
})
