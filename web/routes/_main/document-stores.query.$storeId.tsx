import { createFileRoute } from '@tanstack/react-router'
import { QueryPage } from '../../areas/document-stores/query/QueryPage.tsx'

export const Route = createFileRoute('/_main/document-stores/query/$storeId')({
  staticData: { title: 'Try a query', permission: 'documentStores:view' },
  // A query of digits arrives as a number.
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } =>
    q === undefined || q === '' ? {} : { q: String(q).slice(0, 10_000) },
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  const { storeId } = Route.useParams()
  const { q } = Route.useSearch()
  return (
    <QueryPage
      key={storeId}
      storeId={storeId}
      query={q}
      onQuery={(query) => navigate({ search: { q: query }, replace: true })}
    />
  )
}
