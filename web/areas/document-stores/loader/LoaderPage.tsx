import { Heading, Skeleton, Stack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { componentsQuery, storeQuery } from '../api.ts'
import { BackToStore } from '../shared/BackToStore.tsx'
import { StoreProblem } from '../shared/StoreProblem.tsx'
import { LoaderForm } from './LoaderForm.tsx'

interface Props {
  storeId: string
  /** Name of the kind of loader. */
  component: string
  /** The loader to edit; absent for a new one. */
  loaderId: string | undefined
}

/** The page of one loader: its inputs and what they make. */
export function LoaderPage({ storeId, component, loaderId }: Props) {
  const store = useQuery(storeQuery(storeId))
  const loaders = useQuery(componentsQuery('loaders'))
  const splitters = useQuery(componentsQuery('splitters'))
  const failed = [store, loaders, splitters].find(({ data, error }) => !data && error)
  if (failed?.error) {
    return <StoreProblem title="Couldn’t load the loader" error={failed.error} onRetry={() => void failed.refetch()} />
  }
  const definition = loaders.data?.find(({ name }) => name === component)
  const stored = store.data?.loaders.find(({ id }) => id === loaderId)
  if (!store.data || !loaders.data || !splitters.data) {
    return (
      <Stack gap="4" role="status" aria-label="Loading loader">
        <Skeleton h="8" w="50%" />
        <Skeleton h="96" borderRadius="l3" />
      </Stack>
    )
  }
  return (
    <Stack gap="5">
      <BackToStore storeId={storeId} name={store.data.name} />
      {definition && (!loaderId || stored) ? (
        <LoaderForm store={store.data} definition={definition} splitters={splitters.data} stored={stored} />
      ) : (
        <>
          <Heading as="h1" size="xl" letterSpacing="tight">
            {store.data.name}
          </Heading>
          <ErrorState
            title="Loader not found"
            text={
              definition
                ? 'It was deleted. Go back to the store to add another one.'
                : `There is no loader of the kind “${component}”. Go back to the store to choose one.`
            }
          />
        </>
      )}
    </Stack>
  )
}
