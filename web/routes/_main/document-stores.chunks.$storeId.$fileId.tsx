import { createFileRoute } from '@tanstack/react-router'
import { ChunksPage } from '../../areas/document-stores/chunks/ChunksPage.tsx'
import { readChunkSearch } from '../../areas/document-stores/chunks/search.ts'

export const Route = createFileRoute('/_main/document-stores/chunks/$storeId/$fileId')({
  staticData: { title: 'Chunks', permission: 'documentStores:view' },
  validateSearch: readChunkSearch,
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  const { storeId, fileId } = Route.useParams()
  return (
    <ChunksPage
      key={`${storeId}/${fileId}`}
      storeId={storeId}
      loaderId={fileId}
      search={Route.useSearch()}
      onSearch={(search) => navigate({ search })}
    />
  )
}
