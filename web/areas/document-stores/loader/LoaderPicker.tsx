import { Skeleton } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { PickerDialog } from '../../../ui/lists/PickerDialog.tsx'
import { componentsQuery } from '../api.ts'
import { LoaderIcon } from '../shared/LoaderIcon.tsx'
import { loaderGroups } from './loader-groups.ts'

interface Props {
  onPick(name: string): void
  onClose(): void
}

/** Chooses the kind of a new loader. */
export default function LoaderPicker({ onPick, onClose }: Props) {
  const { data: loaders, error, refetch } = useQuery(componentsQuery('loaders'))
  const [search, setSearch] = useState('')
  const groups = loaderGroups(loaders ?? [], search).map(({ title, loaders: found }) => ({
    title,
    items: found.map(({ name, label, description }) => ({
      id: name,
      label,
      detail: description,
      icon: <LoaderIcon name={name} />,
    })),
  }))
  return (
    <PickerDialog
      title="Add loader"
      noun="loaders"
      search={search}
      onSearch={setSearch}
      groups={groups}
      onPick={onPick}
      onClose={onClose}
    >
      {loaders ? undefined : error ? (
        <ErrorState title="Couldn’t load the loaders" text={error.message} onRetry={() => void refetch()} />
      ) : (
        <Skeleton h="64" role="status" aria-label="Loading loaders" />
      )}
    </PickerDialog>
  )
}
