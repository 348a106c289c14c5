import { createFileRoute } from '@tanstack/react-router'
import { LoaderPage } from '../../areas/document-stores/loader/LoaderPage.tsx'

export const Route = createFileRoute('/_main/document-stores/$storeId/$name')({
  staticData: { title: 'Loader', permission: 'documentStores:view' },
  validateSearch: ({ id }: Record<string, unknown>): { id?: string } => (typeof id === 'string' ? { id } : {}),
  component: Page,
})

function Page() {
  const { storeId, name } = Route.useParams()
  const { id } = Route.useSearch()
  return <LoaderPage key={`${storeId} ${name} ${id}`} storeId={storeId} component={name} loaderId={id} />
}
