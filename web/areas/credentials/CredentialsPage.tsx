import { Badge, Box, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Credential, CredentialWithFields, ListedCredential } from '#contract/credentials/credentials.ts'
import { errorMessage } from '#contract/errors.ts'
import { queryClient } from '../../api/query.ts'
import { useCan } from '../../api/use-can.ts'
import { credentialLabels } from '../../inputs/credential/credential-labels.ts'
import {
  credentialQuery,
  credentialsQuery,
  definitionsQuery,
  deleteCredential,
} from '../../inputs/credential/queries.ts'
import { useIntent } from '../../state/intent.ts'
import { notify } from '../../state/notify.ts'
import { AssetPage } from '../../ui/lists/AssetPage.tsx'
import { NameButton } from '../../ui/lists/NameButton.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { deleteUsedAsset } from '../../usages/delete-used-asset.ts'
import { UsedBy } from '../../usages/UsedBy.tsx'

const CredentialDialog = lazy(() => import('../../inputs/credential/CredentialDialog.tsx'))

/** The list of credentials. Secrets can be replaced but never read. */
export function CredentialsPage() {
  const { data: definitions = [] } = useQuery(definitionsQuery)
  const can = useCan()
  const mayEdit = can('credentials:update,credentials:create')
  const [editing, setEditing] = useState<CredentialWithFields | 'new'>()
  useIntent('credential', () => setEditing('new'))

  const typeOf = ({ credentialName }: ListedCredential) =>
    definitions.find((definition) => definition.name === credentialName)?.label ?? credentialName
  const list = useQuery(credentialsQuery())
  const labels = credentialLabels(list.data ?? [])
  const labelOf = ({ id, name }: ListedCredential) => labels.get(id) ?? name
  const edit = (credential: ListedCredential) =>
    void queryClient.fetchQuery(credentialQuery(credential.id)).then(setEditing, (error: unknown) => {
      notify.error(`Couldn’t open “${labelOf(credential)}”: ${errorMessage(error)}`)
    })
  return (
    <AssetPage
      title="Credentials"
      purpose="API keys and accounts for models, tools and requests, stored encrypted and never shown again."
      noun="credentials"
      query={list}
      nameOf={labelOf}
      textOf={(credential) => `${credential.name}\n${typeOf(credential)}`}
      columns={[
        {
          header: 'Name',
          wide: true,
          cell: (credential) => (
            <Box>
              <NameButton name={labelOf(credential)} onOpen={mayEdit && (() => edit(credential))} />
              <Connection connection={credential.connection} />
            </Box>
          ),
        },
        { header: 'Type', cell: typeOf },
        {
          header: 'Used by',
          cell: (credential) => (
            <UsedBy
              of={{ kind: 'credential', asset: credential.id }}
              name={labelOf(credential)}
              count={credential.usageCount}
            />
          ),
          minor: true,
        },
        {
          header: 'Last used',
          cell: ({ lastUsedDate }) =>
            lastUsedDate ? <RelativeTime date={lastUsedDate} /> : <Text color="fg.muted">Never</Text>,
          minor: true,
        },
      ]}
      create={
        can('credentials:create') && {
          label: 'New credential',
          disabled: definitions.length === 0,
          onClick: () => setEditing('new'),
        }
      }
      onEdit={mayEdit && edit}
      onDelete={can('credentials:delete') && ((credential) => confirmDelete(credential.id, labelOf(credential)))}
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

/** Says only what somebody must do. */
function Connection({ connection }: Pick<Credential, 'connection'>) {
  if (connection === 'refused') return <Badge colorPalette="danger">Reconnect</Badge>
  return connection === 'none' ? <Badge colorPalette="warning">Not connected</Badge> : null
}

const confirmDelete = (id: string, name: string) =>
  deleteUsedAsset({
    name,
    of: { kind: 'credential', asset: id },
    until: 'you choose another credential',
    note: 'This can’t be undone.',
    remove: () => deleteCredential(id),
  })
