import { Button, Code, Flex, Text } from '@chakra-ui/react'
import { IconBook, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiKey, NewApiKey } from '#contract/apikeys.ts'
import { useCan } from '../../api/use-can.ts'
import { deleteAsset } from '../../state/delete-asset.ts'
import { ShownOnceDialog } from '../../ui/feedback/ShownOnceDialog.tsx'
import { actionsColumn } from '../../ui/lists/actions-column.tsx'
import { ListPage } from '../../ui/lists/ListPage.tsx'
import { assetSorts, viewOf } from '../../ui/lists/list-view.ts'
import type { Column } from '../../ui/lists/RowTable.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { ApiKeyDialog } from './ApiKeyDialog.tsx'
import { apiKeysQuery, deleteApiKey } from './queries.ts'

const sorts = assetSorts<ApiKey>((key) => key.keyName)

/** The list of API keys in the workspace. */
export function ApiKeysPage() {
  const query = useQuery(apiKeysQuery)
  const can = useCan()
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState(0)
  const [editing, setEditing] = useState<ApiKey | 'new'>()
  const [created, setCreated] = useState<NewApiKey>()

  const rows = query.data && viewOf(query.data, { query: search, text: (key) => key.keyName, sort: sorts[sort] })
  const columns: Column<ApiKey>[] = [
    { header: 'Name', cell: ({ keyName }) => <Text fontWeight="medium">{keyName}</Text> },
    { header: 'Key', cell: ({ keyHint }) => <Code>…{keyHint}</Code> },
    { header: 'Permissions', cell: ({ permissions }) => permissions.length, minor: true },
    { header: 'Flows', cell: ({ chatFlows }) => chatFlows.map((flow) => flow.flowName).join(', ') || '–', minor: true },
    { header: 'Last updated', cell: ({ updatedDate }) => <RelativeTime date={updatedDate} />, minor: true },
    actionsColumn({
      nameOf: (key) => key.keyName,
      onEdit: can('apikeys:update,apikeys:create') && setEditing,
      onDelete: can('apikeys:delete') && confirmDelete,
    }),
  ]
  const create = can('apikeys:create') && (
    <Button colorPalette="accent" onClick={() => setEditing('new')}>
      <IconPlus aria-hidden />
      New API key
    </Button>
  )
  const actions = (
    <Flex gap="2" wrap="wrap" justify="center">
      <Button asChild variant="outline">
        <Link to="/docs/api">
          <IconBook aria-hidden />
          API reference
        </Link>
      </Button>
      {create}
    </Flex>
  )
  return (
    <>
      <ListPage
        title="API keys"
        purpose="Give programs access to the flows of this workspace."
        noun="API keys"
        list={{ rows, error: query.error, retry: query.refetch }}
        columns={columns}
        search={{ value: search, onChange: setSearch }}
        sort={{ value: sort, labels: sorts.map((each) => each.label), onChange: setSort }}
        actions={actions}
        empty={{
          title: 'No API keys yet',
          text: 'Create a key to call your flows from a website or script, limited to the permissions you choose.',
          action: actions,
        }}
      />
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
    </>
  )
}

const confirmDelete = ({ id, keyName }: ApiKey) =>
  deleteAsset({
    name: keyName,
    description: 'Programs that use this key lose access immediately. This can’t be undone.',
    remove: () => deleteApiKey(id),
  })
