import { Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Credential, CredentialWithFields } from '#contract/credentials.ts'
import { errorMessage } from '#contract/errors.ts'
import { queryClient } from '../../api/query.ts'
import { useCan } from '../../api/use-can.ts'
import {
  credentialQuery,
  credentialsQuery,
  definitionsQuery,
  deleteCredential,
} from '../../inputs/credential/queries.ts'
import { deleteAsset } from '../../state/delete-asset.ts'
import { useIntent } from '../../state/intent.ts'
import { notify } from '../../state/notify.ts'
import { AssetPage } from '../../ui/lists/AssetPage.tsx'

const CredentialDialog = lazy(() => import('../../inputs/credential/CredentialDialog.tsx'))

/** The list of credentials. Secrets can be replaced but never read. */
export function CredentialsPage() {
  const { data: definitions = [] } = useQuery(definitionsQuery)
  const can = useCan()
  const [editing, setEditing] = useState<CredentialWithFields | 'new'>()
  useIntent('credential', () => setEditing('new'))

  const typeOf = ({ credentialName }: Credential) =>
    definitions.find((definition) => definition.name === credentialName)?.label ?? credentialName
  const edit = ({ id, name }: Credential) =>
    void queryClient.fetchQuery(credentialQuery(id)).then(setEditing, (error: unknown) => {
      notify.error(`Couldn’t open “${name}”: ${errorMessage(error)}`)
    })
  return (
    <AssetPage
      title="Credentials"
      purpose="API keys for model providers and tools, stored encrypted and never shown again."
      noun="credentials"
      query={useQuery(credentialsQuery())}
      nameOf={({ name }) => name}
      textOf={(credential) => `${credential.name}\n${typeOf(credential)}`}
      columns={[
        { header: 'Name', cell: ({ name }) => <Text fontWeight="medium">{name}</Text> },
        { header: 'Type', cell: typeOf },
      ]}
      create={
        can('credentials:create') && {
          label: 'New credential',
          disabled: definitions.length === 0,
          onClick: () => setEditing('new'),
        }
      }
      onEdit={can('credentials:update,credentials:create') && edit}
      onDelete={can('credentials:delete') && confirmDelete}
      empty={{
        title: 'No credentials yet',
        text: 'Add the API key of a model provider to use its models. The practice model needs no key.',
      }}
    >
      {editing && definitions.length > 0 && (
        <Suspense>
          <CredentialDialog
            definitions={definitions}
            credential={editing === 'new' ? undefined : editing}
            onClose={() => setEditing(undefined)}
          />
        </Suspense>
      )}
    </AssetPage>
  )
}

const confirmDelete = ({ id, name }: Credential) =>
  deleteAsset({
    name,
    description: 'Flows that use this credential will fail until you choose another. This can’t be undone.',
    remove: () => deleteCredential(id),
  })
