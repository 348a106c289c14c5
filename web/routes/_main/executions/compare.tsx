import { createFileRoute } from '@tanstack/react-router'
import { ComparePage } from '../../../areas/executions/ComparePage.tsx'
import { compareSearch } from '../../../areas/executions/search.ts'

export const Route = createFileRoute('/_main/executions/compare')({
  staticData: { title: 'Compare executions', permission: 'executions:view' },
  validateSearch: compareSearch,
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  const { a = '', b = '', step } = Route.useSearch()
  return (
    <ComparePage
      a={a}
      b={b}
      step={step}
      onStep={(next) => navigate({ search: { a, b, step: next }, replace: true, resetScroll: false })}
    />
  )
}
