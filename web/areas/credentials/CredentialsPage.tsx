import { Badge, Box, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Credential, CredentialWithFields, ListedCredential } from '#contract/credentials/credentials.ts'
import { givenHosts } from '#contract/credentials/hosts.ts'
import { errorMessage } from '#contract/errors.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
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
import type { Column } from '../../ui/lists/RowTable.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { deleteUsedAsset } from '../../usages/delete-used-asset.ts'
import { UsedBy } from '../../usages/UsedBy.tsx'

const CredentialDialog = lazy(() => import('../../inputs/credential/CredentialDialog.tsx'))

const lastUsed: Column<ListedCredential> = {
  header: 'Last used',
  cell: ({ lastUsedDate }) =>
    lastUsedDate ? <RelativeTime date={lastUsedDate} /> : <Text color="fg.muted">Never</Text>,
  minor: true,
}

/** Without a credential: a new one. */
interface Editing {
  credential?: CredentialWithFields
  focus?: 'hosts'
}

/** The list of credentials. Secrets can be replaced but never read. */
export function CredentialsPage() {
  const { data: definitions = [] } = useQuery(definitionsQuery)
  const can = useCan()
  const mayEdit = can('credentials:update,credentials:create')
  const [editing, setEditing] = useState<Editing>()
  useIntent('credential', () => setEditing({}))

  const definitionOf = ({ credentialName }: ListedCredential) =>
    definitions.find((definition) => definition.name === credentialName)
  const typeOf = (credential: ListedCredential) => definitionOf(credential)?.label ?? credential.credentialName
  const list = useQuery(credentialsQuery())
  const labels = credentialLabels(list.data ?? [])
  const labelOf = ({ id, name }: ListedCredential) => labels.get(id) ?? name
  const edit = (listed: ListedCredential, focus?: 'hosts') =>
    void queryClient.fetchQuery(credentialQuery(listed.id)).then(
      (credential) => setEditing({ credential, ...(focus && { focus }) }),
      (error: unknown) => notify.error(`Couldn’t open “${labelOf(listed)}”: ${errorMessage(error)}`),
    )
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
              <AnyHost
                hosts={credential.hosts}
                name={labelOf(credential)}
                onLimit={mayEdit && (() => edit(credential, 'hosts'))}
              />
            </Box>
          ),
        },
        {
          header: 'Type',
          cell: (credential) => (
            <>
              {typeOf(credential)}
              <Hosts hosts={credential.hosts} definition={definitionOf(credential)} />
            </>
          ),
        },
        {
          header: 'Used by',
          cell: (credential) => <Users credential={credential} name={labelOf(credential)} />,
          minor: true,
        },
        lastUsed,
      ]}
      create={
        can('credentials:create') && {
          label: 'New credential',
          disabled: definitions.length === 0,
          onClick: () => setEditing({}),
        }
      }
      onEdit={mayEdit && ((credential) => edit(credential))}
      onDelete={can('credentials:delete') && ((credential) => confirmDelete(credential.id, labelOf(credential)))}
      empty={{
        title: 'No credentials yet',
        text: 'Add the API key of a model provider to use its models. The practice model needs no key.',
      }}
    >
      {editing && definitions.length > 0 && (
        <Suspense>
          <CredentialDialog {...editing} definitions={definitions} onClose={() => setEditing(undefined)} />
        </Suspense>
      )}
    </AssetPage>
  )
}

const Users = ({ credential, name }: { credential: ListedCredential; name: string }) => (
  <UsedBy of={{ kind: 'credential', asset: credential.id }} name={name} count={credential.usageCount} />
)

interface AnyHostProps extends Pick<Credential, 'hosts'> {
  name: string
  /** Opens where it is limited; false for those who may not. */
  onLimit: (() => void) | false
}

/** Marks a secret that may be sent anywhere. */
function AnyHost({ hosts, name, onLimit }: AnyHostProps) {
  if (hosts) return null
  if (!onLimit) return <Badge colorPalette="warning">Any host</Badge>
  return (
    <Badge asChild colorPalette="warning" minH="6">
      <button type="button" aria-label={`Any host: limit where ${name} is sent`} onClick={onLimit}>
        Any host
      </button>
    </Badge>
  )
}

interface HostsProps extends Pick<Credential, 'hosts'> {
  definition: CredentialDefinition | undefined
}

/** Where a secret is sent, in one line, as far as it is known without the fields of the credential. */
function Hosts({ hosts, definition }: HostsProps) {
  const [first, ...others] = hosts ? new Set([...(definition ? givenHosts(definition, {}) : []), ...hosts]) : []
  if (first === undefined) return null
  return (
    <Text textStyle="xs" color="fg.muted" hideBelow="md" title={[first, ...others].join('\n')}>
      {first}
      {others.length > 0 && ` and ${others.length} more`}
    </Text>
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
