import { createFileRoute } from '@tanstack/react-router'
import { VectorPage } from '../../areas/document-stores/vector/VectorPage.tsx'

export const Route = createFileRoute('/_main/document-stores/vector/$storeId/')({
  staticData: { title: 'Embeddings and search', permission: 'documentStores:view' },
  component: Page,
})

function Page() {
  const { storeId } = Route.useParams()
  return <VectorPage key={storeId} storeId={storeId} />
}
