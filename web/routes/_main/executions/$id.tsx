import { createFileRoute } from '@tanstack/react-router'
import { ExecutionPage } from '../../../areas/executions/ExecutionPage.tsx'
import { type StepSearch, stepSearch } from '../../../shell/step-param.ts'

export const Route = createFileRoute('/_main/executions/$id')({
  staticData: { title: 'Execution', permission: 'executions:view' },
  validateSearch: (search): StepSearch => stepSearch(search),
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  const { step } = Route.useSearch()
  return (
    <ExecutionPage
      id={Route.useParams().id}
      step={step}
      onStep={(next) => navigate({ search: { step: next }, replace: true, resetScroll: false })}
    />
  )
}
