import { Badge, Button, Flex, Text } from '@chakra-ui/react'
import { IconArrowsExchange, IconPencil, IconPlus, IconTrash, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { errorMessage } from '#contract/errors.ts'
import type { Workspace } from '#contract/organization/workspaces.ts'
import { session } from '../../api/session.ts'
import { useCan } from '../../api/use-can.ts'
import { switchTo } from '../../api/workspaces.ts'
import { notify } from '../../state/notify.ts'
import { ListPage } from '../../ui/lists/ListPage.tsx'
import { RowMenu } from '../../ui/lists/RowMenu.tsx'
import type { MenuAction } from '../../ui/menu/OpenMenu.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { DeletedWorkspaces } from './DeletedWorkspaces.tsx'
import { DeleteWorkspaceDialog } from './DeleteWorkspaceDialog.tsx'
import { workspacesQuery } from './queries.ts'
import { WorkspaceDialog } from './WorkspaceDialog.tsx'

type Open = { kind: 'create' } | { kind: 'rename' | 'delete'; workspace: Workspace }

/** The workspaces of the organization that the person may see. */
export function WorkspacesPage() {
  const can = useCan()
  const query = useQuery(workspacesQuery)
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const wanted = search.trim().toLowerCase()
  const actionsOf = useActions(setOpen)
  const create = can('workspace:create') && (
    <Button colorPalette="accent" onClick={() => setOpen({ kind: 'create' })}>
      <IconPlus aria-hidden />
      New workspace
    </Button>
  )
  return (
    <>
      <ListPage
        title="Workspaces"
        purpose="Each has its own flows, credentials, keys and people."
        noun="workspaces"
        list={{
          rows: query.data?.workspaces.filter(({ name }) => name.toLowerCase().includes(wanted)),
          error: query.error,
          retry: () => void query.refetch(),
        }}
        columns={[
          { header: 'Name', cell: (workspace) => <Name of={workspace} /> },
          { header: 'People', cell: ({ users }) => users, minor: true },
          { header: 'Created', cell: ({ createdDate }) => <RelativeTime date={createdDate} />, minor: true },
          {
            header: 'Actions',
            quiet: true,
            cell: (workspace) => <RowMenu of={workspace.name} actions={actionsOf(workspace)} />,
          },
        ]}
        search={{ value: search, onChange: setSearch }}
        actions={create}
        empty={{
          title: 'No workspaces',
          text: 'You are in no workspace of this organization. Ask an admin to add you.',
          action: create,
        }}
      />
      <DeletedWorkspaces workspaces={query.data?.deleted ?? []} />
      {open?.kind === 'create' && <WorkspaceDialog onClose={close} />}
      {open?.kind === 'rename' && <WorkspaceDialog workspace={open.workspace} onClose={close} />}
      {open?.kind === 'delete' && <DeleteWorkspaceDialog workspace={open.workspace} onClose={close} />}
    </>
  )
}

function useActions(setOpen: (open: Open) => void): (workspace: Workspace) => MenuAction[] {
  const can = useCan()
  const navigate = useNavigate()
  const { user } = useSnapshot(session)
  return (workspace) => {
    const { id } = workspace
    const isTheirs = user?.assignedWorkspaces.some((each) => each.id === id)
    return [
      ...(isTheirs && id !== user?.activeWorkspaceId
        ? [{ label: 'Switch to this workspace', icon: IconArrowsExchange, onSelect: () => void tryToSwitch(id) }]
        : []),
      {
        label: 'People',
        icon: IconUsers,
        onSelect: () => void navigate({ to: '/workspace-users/$id', params: { id } }),
      },
      ...(can('workspace:update')
        ? [{ label: 'Rename', icon: IconPencil, onSelect: () => setOpen({ kind: 'rename', workspace }) }]
        : []),
      ...(can('workspace:delete')
        ? [{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => setOpen({ kind: 'delete', workspace }) }]
        : []),
    ]
  }
}

const tryToSwitch = (id: string) =>
  switchTo(id).catch((error: unknown) => notify.error(`Couldn’t switch: ${errorMessage(error)}`))

function Name({ of: { id, name } }: { of: Workspace }) {
  const { user } = useSnapshot(session)
  return (
    <Flex gap="2" align="center" wrap="wrap">
      <Text asChild fontWeight="medium" overflowWrap="anywhere" _hover={{ textDecoration: 'underline' }}>
        <Link to="/workspace-users/$id" params={{ id }}>
          {name}
        </Link>
      </Text>
      {id === user?.activeWorkspaceId && <Badge>You are here</Badge>}
    </Flex>
  )
}
