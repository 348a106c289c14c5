import { createFileRoute } from '@tanstack/react-router'
import { PublicExecutionPage } from '../../areas/executions/PublicExecutionPage.tsx'
import { type StepSearch, stepSearch } from '../../shell/step-param.ts'

export const Route = createFileRoute('/_public/execution/$id')({
  staticData: { title: 'Shared execution' },
  validateSearch: (search): StepSearch => stepSearch(search),
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  const { step } = Route.useSearch()
  return (
    <PublicExecutionPage
      id={Route.useParams().id}
      step={step}
      onStep={(next) => navigate({ search: { step: next }, replace: true, resetScroll: false })}
    />
  )
}
