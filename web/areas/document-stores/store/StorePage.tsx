import { Skeleton, Stack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { storeQuery } from '../api.ts'
import { loaderLink } from '../shared/links.ts'
import { StoreProblem } from '../shared/StoreProblem.tsx'
import { JobHistory } from './JobHistory.tsx'
import { JobPanel } from './JobPanel.tsx'
import { LoaderList } from './LoaderList.tsx'
import { StoreHeader } from './StoreHeader.tsx'
import { UsedIn } from './UsedIn.tsx'

const LoaderPicker = lazy(() => import('../loader/LoaderPicker.tsx'))

/** The page of one store: its state, the job that works on it, its loaders, users and history. */
export function StorePage({ id }: { id: string }) {
  const navigate = useNavigate()
  const { data: store, error, refetch } = useQuery(storeQuery(id))
  const [isPicking, setPicking] = useState(false)
  if (!store && error) {
    return <StoreProblem title="Couldn’t load the document store" error={error} onRetry={() => void refetch()} />
  }
  if (!store) return <Waiting />
  return (
    <Stack gap="8">
      <Stack gap="5">
        <StoreHeader store={store} onAdd={() => setPicking(true)} />
        {store.job && <JobPanel job={store.job} loaders={store.loaders} />}
      </Stack>
      <LoaderList store={store} onAdd={() => setPicking(true)} />
      <UsedIn store={store} />
      <JobHistory storeId={id} newest={store.job ? `${store.job.id} ${store.job.state}` : ''} />
      <Suspense>
        {isPicking && (
          <LoaderPicker onPick={(name) => void navigate(loaderLink(id, name))} onClose={() => setPicking(false)} />
        )}
      </Suspense>
    </Stack>
  )
}

function Waiting() {
  return (
    <Stack gap="5" role="status" aria-label="Loading document store">
      <Skeleton h="8" w="50%" />
      <Skeleton h="20" borderRadius="l3" />
      <Skeleton h="20" borderRadius="l3" />
    </Stack>
  )
}
