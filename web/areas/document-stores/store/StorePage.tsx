import { Skeleton, Stack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { DocumentJob } from '#contract/document-stores/jobs.ts'
import { jobsQuery, storeQuery } from '../api.ts'
import { isOpen, isStopped } from '../shared/job-state.ts'
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
  const { data: jobs = store?.job ? [store.job] : [] } = useQuery(jobsQuery(id))
  const [isPicking, setPicking] = useState(false)
  if (!store && error) {
    return <StoreProblem title="Couldn’t load the document store" error={error} onRetry={() => void refetch()} />
  }
  if (!store) return <Waiting />
  return (
    <Stack gap="8">
      <Stack gap="5">
        <StoreHeader store={store} onAdd={() => setPicking(true)} />
        {shownJobs(jobs).map((job) => (
          <JobPanel key={job.id} job={job} loaders={store.loaders} />
        ))}
      </Stack>
      <LoaderList store={store} jobs={jobs} onAdd={() => setPicking(true)} />
      <UsedIn store={store} />
      <JobHistory storeId={id} />
      <Suspense>
        {isPicking && (
          <LoaderPicker onPick={(name) => void navigate(loaderLink(id, name))} onClose={() => setPicking(false)} />
        )}
      </Suspense>
    </Stack>
  )
}

/** Those that work or wait, in the order in which they run, and the newest when it has stopped before its end. */
const shownJobs = (jobs: readonly DocumentJob[]) =>
  jobs.filter((job, index) => isOpen(job) || (index === 0 && isStopped(job))).reverse()

function Waiting() {
  return (
    <Stack gap="5" role="status" aria-label="Loading document store">
      <Skeleton h="8" w="50%" />
      <Skeleton h="20" borderRadius="l3" />
      <Skeleton h="20" borderRadius="l3" />
    </Stack>
  )
}
