import { Badge, Text } from '@chakra-ui/react'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import type { ListedMcpServer, McpServer } from '#contract/tools/mcp-servers.ts'
import { queryClient } from '../../api/query.ts'
import { useCan } from '../../api/use-can.ts'
import { notify } from '../../state/notify.ts'
import { AssetPage } from '../../ui/lists/AssetPage.tsx'
import { NameButton } from '../../ui/lists/NameButton.tsx'
import { deleteUsedAsset } from '../../usages/delete-used-asset.ts'
import { UsedBy } from '../../usages/UsedBy.tsx'
import { authorizeMcpServer, countTools, deleteMcpServer, mcpServerQuery, mcpServersQuery } from './mcp-queries.ts'
import { ToolTabs } from './ToolTabs.tsx'

const McpServerDialog = lazy(() => import('./McpServerDialog.tsx'))

/** The list of MCP servers of the workspace, with how their last check went. */
export function McpServersPage() {
  const can = useCan()
  const mayEdit = can('tools:update,tools:create')
  const [editing, setEditing] = useState<McpServer | 'new'>()
  const edit = ({ id, name }: McpServer) =>
    void queryClient
      .fetchQuery(mcpServerQuery(id))
      .then(setEditing, (error: unknown) => notify.error(`Couldn’t open “${name}”: ${errorMessage(error)}`))
  return (
    <AssetPage
      title="Tools"
      purpose="MCP servers whose tools agents and Tool nodes of this workspace can call."
      noun="MCP servers"
      below={<ToolTabs current="mcp" />}
      query={useQuery(mcpServersQuery)}
      nameOf={({ name }) => name}
      textOf={({ name, serverUrl }) => `${name}\n${serverUrl}`}
      columns={[
        {
          header: 'Name',
          wide: true,
          cell: (server) => (
            <>
              <NameButton name={server.name} onOpen={mayEdit && (() => edit(server))} />
              <Text fontSize="sm" color="fg.muted">
                {server.serverUrl}
              </Text>
            </>
          ),
        },
        { header: 'Status', cell: (server) => <Health server={server} /> },
        { header: 'Tools', cell: ({ toolCount, status }) => (status === 'AUTHORIZED' ? toolCount : '–'), minor: true },
        {
          header: 'Used by',
          cell: ({ id, name, usageCount }: ListedMcpServer) => (
            <UsedBy of={{ kind: 'mcpServer', asset: id }} name={name} count={usageCount} />
          ),
          minor: true,
        },
      ]}
      create={can('tools:create') && { label: 'New MCP server', onClick: () => setEditing('new') }}
      onEdit={mayEdit && edit}
      onDelete={can('tools:delete') && confirmDelete}
      actionsOf={(server) =>
        mayEdit && (server.connection ?? 'connected') === 'connected'
          ? [{ label: 'Check', icon: IconRefresh, onSelect: () => void check(server) }]
          : []
      }
      empty={{
        title: 'No MCP servers yet',
        text: 'Add the address of an MCP server to let your agents use its tools.',
      }}
    >
      {editing && (
        <Suspense>
          <McpServerDialog server={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
        </Suspense>
      )}
    </AssetPage>
  )
}

function Health({ server: { status, statusReason, connection } }: { server: McpServer }) {
  if (connection === 'refused') return <Badge colorPalette="danger">Reconnect</Badge>
  if (connection === 'none') return <Badge colorPalette="warning">Not connected</Badge>
  if (status === 'AUTHORIZED') return <Badge colorPalette="success">Connected</Badge>
  if (status === 'PENDING') return <Badge>Not checked</Badge>
  return (
    <>
      <Badge colorPalette="danger">Failed</Badge>
      <Text fontSize="xs" color="fg.muted" lineClamp="3" title={statusReason ?? undefined}>
        {statusReason}
      </Text>
    </>
  )
}

async function check({ id, name }: McpServer): Promise<void> {
  try {
    const { status, toolCount, statusReason } = await authorizeMcpServer(id)
    if (status === 'AUTHORIZED') notify.success(`“${name}” offers ${countTools(toolCount)}`)
    else notify.error(`“${name}”: ${statusReason}`)
  } catch (error) {
    notify.error(`Couldn’t check “${name}”: ${errorMessage(error)}`)
  }
}

const confirmDelete = ({ id, name }: McpServer) =>
  deleteUsedAsset({
    name,
    of: { kind: 'mcpServer', asset: id },
    until: 'you choose another server',
    note: 'This can’t be undone.',
    remove: () => deleteMcpServer(id),
  })
