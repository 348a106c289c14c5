import { Skeleton, Stack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import { componentsQuery, storeQuery } from '../api.ts'
import { BackToStore } from '../shared/BackToStore.tsx'
import { StoreProblem } from '../shared/StoreProblem.tsx'
import { JobPanel } from '../store/JobPanel.tsx'
import { VectorForm } from './VectorForm.tsx'

interface Props {
  storeId: string
  /** Only this loader is embedded; absent: all of the store. */
  docId?: string
}

/** Page with the settings of a store: embeddings, vector store, search and refresh. */
export function VectorPage({ storeId, docId }: Props) {
  const store = useQuery(storeQuery(storeId))
  const embedders = useQuery(componentsQuery('embeddings'))
  const vectorStores = useQuery(componentsQuery('vectorstore'))
  const error = (!store.data && store.error) || embedders.error || vectorStores.error
  if (error) {
    const retry = () => void Promise.all([store.refetch(), embedders.refetch(), vectorStores.refetch()])
    return <StoreProblem title="Couldn’t load the settings" error={error} onRetry={retry} />
  }
  const loader = store.data?.loaders.find(({ id }) => id === docId)
  const isReady = store.data && embedders.data && vectorStores.data
  return (
    <Stack gap="6" maxW="3xl">
      <div>
        <BackToStore storeId={storeId} name={store.data?.name} />
        <PageTitle
          title="Embeddings and search"
          purpose={
            docId
              ? `These settings apply to the whole store. Only ${loader ? `“${loader.loaderName}”` : 'this loader'} will be embedded now.`
              : 'How chunks are embedded, where vectors are kept, and how the store is searched.'
          }
        />
      </div>
      {store.data?.job && <JobPanel job={store.data.job} loaders={store.data.loaders} />}
      {isReady ? (
        <VectorForm
          key={savedKey(store.data)}
          store={store.data}
          docId={docId}
          embedders={embedders.data}
          vectorStores={vectorStores.data}
        />
      ) : (
        <Stack gap="4" role="status" aria-label="Loading the settings">
          <Skeleton h="32" borderRadius="l3" />
          <Skeleton h="32" borderRadius="l3" />
          <Skeleton h="48" borderRadius="l3" />
        </Stack>
      )}
    </Stack>
  )
}

/** The form starts anew when its settings were saved, here or elsewhere, and not while a job counts. */
const savedKey = ({ embeddingConfig, vectorStoreConfig, searchConfig, scheduleConfig }: DocumentStore) =>
  JSON.stringify([embeddingConfig, vectorStoreConfig, searchConfig, scheduleConfig])
