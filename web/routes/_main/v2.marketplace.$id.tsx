import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import TemplatePage from '../../areas/marketplaces/TemplatePage.tsx'

/** The page decides by the template's type what it shows. */
export const Route = createFileRoute('/_main/v2/marketplace/$id')({
  staticData: { ...areaOf('/marketplaces'), title: 'Template' },
  component: () => <TemplatePage id={Route.useParams().id} />,
})
