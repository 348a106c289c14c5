import { createFileRoute } from '@tanstack/react-router'
import { StorePage } from '../../areas/document-stores/store/StorePage.tsx'

export const Route = createFileRoute('/_main/document-stores/$storeId/')({
  staticData: { title: 'Document store', permission: 'documentStores:view' },
  component: Page,
})

function Page() {
  const { storeId } = Route.useParams()
  return <StorePage key={storeId} id={storeId} />
}
