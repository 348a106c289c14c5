import { Button, Text } from '@chakra-ui/react'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Credential, CredentialWithFields } from '#contract/credentials.ts'
import { errorMessage } from '#contract/errors.ts'
import { queryClient } from '../../api/query.ts'
import { useCan } from '../../api/use-can.ts'
import CredentialDialog from '../../inputs/credential/CredentialDialog.tsx'
import {
  credentialQuery,
  credentialsQuery,
  definitionsQuery,
  deleteCredential,
} from '../../inputs/credential/queries.ts'
import { deleteAsset } from '../../state/delete-asset.ts'
import { notify } from '../../state/notify.ts'
import { actionsColumn } from '../../ui/lists/actions-column.tsx'
import { ListPage } from '../../ui/lists/ListPage.tsx'
import { assetSorts, viewOf } from '../../ui/lists/list-view.ts'
import type { Column } from '../../ui/lists/RowTable.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'

const sorts = assetSorts<Credential>((credential) => credential.name)

/** The list of credentials. Secrets can be replaced but never read. */
export function CredentialsPage() {
  const query = useQuery(credentialsQuery())
  const { data: definitions = [] } = useQuery(definitionsQuery)
  const can = useCan()
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState(0)
  const [editing, setEditing] = useState<CredentialWithFields | 'new'>()

  const typeOf = ({ credentialName }: Credential) =>
    definitions.find((definition) => definition.name === credentialName)?.label ?? credentialName
  const edit = ({ id, name }: Credential) =>
    queryClient.fetchQuery(credentialQuery(id)).then(setEditing, (error: unknown) => {
      notify.error(`Couldn’t open “${name}”: ${errorMessage(error)}`)
    })

  const text = (credential: Credential) => `${credential.name}\n${typeOf(credential)}`
  const rows = query.data && viewOf(query.data, { query: search, text, sort: sorts[sort] })
  const columns: Column<Credential>[] = [
    { header: 'Name', cell: ({ name }) => <Text fontWeight="medium">{name}</Text> },
    { header: 'Type', cell: typeOf },
    { header: 'Last updated', cell: ({ updatedDate }) => <RelativeTime date={updatedDate} />, minor: true },
    actionsColumn({
      nameOf: (credential) => credential.name,
      onEdit: can('credentials:update,credentials:create') && edit,
      onDelete: can('credentials:delete') && confirmDelete,
    }),
  ]
  const create = can('credentials:create') && (
    <Button colorPalette="accent" disabled={definitions.length === 0} onClick={() => setEditing('new')}>
      <IconPlus aria-hidden />
      New credential
    </Button>
  )
  return (
    <>
      <ListPage
        title="Credentials"
        purpose="API keys for model providers and tools, stored encrypted and never shown again."
        noun="credentials"
        list={{ rows, error: query.error, retry: query.refetch }}
        columns={columns}
        search={{ value: search, onChange: setSearch }}
        sort={{ value: sort, labels: sorts.map((each) => each.label), onChange: setSort }}
        actions={create}
        empty={{
          title: 'No credentials yet',
          text: 'Add the API key of a model provider to use its models. The practice model needs no key.',
          action: create,
        }}
      />
      {editing && (
        <CredentialDialog
          definitions={definitions}
          credential={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}

const confirmDelete = ({ id, name }: Credential) =>
  deleteAsset({
    name,
    description: 'Flows that use this credential will fail until you choose another. This can’t be undone.',
    remove: () => deleteCredential(id),
  })
