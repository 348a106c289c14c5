import { Badge, Button, Code, Text } from '@chakra-ui/react'
import { IconBook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiKey, NewApiKey } from '#contract/apikeys/apikeys.ts'
import { useCan } from '../../api/use-can.ts'
import { deleteAsset } from '../../state/delete-asset.ts'
import { useIntent } from '../../state/intent.ts'
import { ShownOnceDialog } from '../../ui/feedback/ShownOnceDialog.tsx'
import { AssetPage } from '../../ui/lists/AssetPage.tsx'
import { NameButton } from '../../ui/lists/NameButton.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { ApiKeyDialog } from './ApiKeyDialog.tsx'
import { hasExpired } from './expiry.ts'
import { listPresets, type Preset, presetFor } from './presets.ts'
import { apiKeysQuery, deleteApiKey, grantableQuery } from './queries.ts'

/** The list of API keys in the workspace. */
export function ApiKeysPage() {
  const can = useCan()
  const mayEdit = can('apikeys:update,apikeys:create')
  const [editing, setEditing] = useState<ApiKey | 'new'>()
  useIntent('apikey', () => setEditing('new'))
  const presets = listPresets(useQuery(grantableQuery).data ?? [])
  const [created, setCreated] = useState<NewApiKey>()
  return (
    <AssetPage
      title="API keys"
      purpose="Give programs access to the flows of this workspace."
      noun="API keys"
      query={useQuery(apiKeysQuery)}
      nameOf={({ keyName }) => keyName}
      columns={[
        {
          header: 'Name',
          wide: true,
          cell: (key) => <NameButton name={key.keyName} onOpen={mayEdit && (() => setEditing(key))} />,
        },
        { header: 'Key', cell: ({ keyHint }) => <Code>…{keyHint}</Code> },
        { header: 'Expires', cell: (key) => <Expires of={key} /> },
        { header: 'Last used', cell: (key) => <LastUsed of={key} />, minor: true },
        { header: 'Allows', cell: (key) => allowsText(key, presets), minor: true },
        {
          header: 'Only key of',
          cell: ({ chatFlows }) => chatFlows.map(({ flowName }) => flowName).join(', ') || '–',
          minor: true,
        },
      ]}
      create={can('apikeys:create') && { label: 'New API key', onClick: () => setEditing('new') }}
      onEdit={mayEdit && setEditing}
      onDelete={can('apikeys:delete') && confirmDelete}
      links={
        <Button asChild variant="outline">
          <Link to="/docs/api">
            <IconBook aria-hidden />
            API reference
          </Link>
        </Button>
      }
      empty={{
        title: 'No API keys yet',
        text: 'Create a key to call your flows from a website or script, limited to the permissions you choose.',
      }}
    >
      {editing && (
        <ApiKeyDialog
          apiKey={editing === 'new' ? undefined : editing}
          onCreated={setCreated}
          onClose={() => setEditing(undefined)}
        />
      )}
      {created && (
        <ShownOnceDialog
          title={`API key “${created.keyName}”`}
          label="API key"
          value={created.apiKey}
          onClose={() => setCreated(undefined)}
        />
      )}
    </AssetPage>
  )
}

function Expires({ of }: { of: ApiKey }) {
  if (of.expiresDate === null) return <Text color="fg.muted">Never</Text>
  if (hasExpired(of, new Date())) return <Badge colorPalette="danger">Expired</Badge>
  return <RelativeTime date={of.expiresDate} ahead />
}

function LastUsed({ of: { lastUsedDate } }: { of: ApiKey }) {
  return lastUsedDate === null ? <Text color="fg.muted">Never</Text> : <RelativeTime date={lastUsedDate} />
}

/** A limited key names no permissions. */
const allowsText = ({ permissions, flowIds }: ApiKey, presets: readonly Preset[]) =>
  [
    presetFor(permissions, presets)?.label ??
      (permissions.length > 0 && (permissions.length === 1 ? '1 permission' : `${permissions.length} permissions`)),
    flowIds.length > 0 && (flowIds.length === 1 ? 'Running 1 flow' : `Running ${flowIds.length} flows`),
  ]
    .filter(Boolean)
    .join(', ')

const confirmDelete = ({ id, keyName, chatFlows }: ApiKey) =>
  deleteAsset({
    name: keyName,
    description: [
      'Programs that use this key lose access immediately.',
      chatFlows.length > 0 && `It is the only key of ${chatFlows.map(({ flowName }) => flowName).join(', ')}.`,
      'This can’t be undone.',
    ]
      .filter(Boolean)
      .join(' '),
    remove: () => deleteApiKey(id),
  })
