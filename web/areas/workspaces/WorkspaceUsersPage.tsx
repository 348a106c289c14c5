import { Badge, Button, Flex, Text } from '@chakra-ui/react'
import { IconArrowLeft, IconPencil, IconPlus, IconUserMinus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { errorMessage } from '#contract/errors.ts'
import type { WorkspaceUser } from '#contract/organization/workspaces.ts'
import { session } from '../../api/session.ts'
import { useCan } from '../../api/use-can.ts'
import { confirm } from '../../state/confirm.ts'
import { notify } from '../../state/notify.ts'
import { ListPage } from '../../ui/lists/ListPage.tsx'
import { RowMenu } from '../../ui/lists/RowMenu.tsx'
import type { MenuAction } from '../../ui/menu/OpenMenu.tsx'
import { AddUserDialog } from './AddUserDialog.tsx'
import { removeUser, workspaceUsersQuery } from './queries.ts'
import { RoleDialog } from './RoleDialog.tsx'

/** The people of one workspace. */
export function WorkspaceUsersPage({ id }: { id: string }) {
  const can = useCan()
  const { data, error, refetch } = useQuery(workspaceUsersQuery(id))
  const [search, setSearch] = useState('')
  const [editing, setEditing] = useState<WorkspaceUser | 'new'>()
  const { user: own } = useSnapshot(session)
  const wanted = search.trim().toLowerCase()
  const roles = data?.roles ?? []
  const add = can('workspace:update') && (
    <Button colorPalette="accent" disabled={roles.length === 0} onClick={() => setEditing('new')}>
      <IconPlus aria-hidden />
      Add a person
    </Button>
  )
  const actionsOf = (user: WorkspaceUser): MenuAction[] => {
    if (!user.role || user.id === own?.id || !can('workspace:update')) return []
    return [
      { label: 'Change role', icon: IconPencil, onSelect: () => setEditing(user) },
      { label: 'Remove', icon: IconUserMinus, danger: true, onSelect: () => void confirmRemoval(id, user) },
    ]
  }
  return (
    <>
      <ListPage
        title={data ? `People in ${data.workspace.name}` : 'People in the workspace'}
        purpose="Who can work in this workspace, and in which role."
        noun="people"
        list={{
          rows: data?.users.filter(({ name, email }) => `${name}\n${email}`.toLowerCase().includes(wanted)),
          error,
          retry: () => void refetch(),
        }}
        columns={[
          { header: 'Name', cell: (user) => <Person of={user} /> },
          { header: 'Role', cell: ({ role, isAdmin }) => (isAdmin ? 'Organization Admin' : (role?.name ?? '–')) },
          {
            header: 'Actions',
            quiet: true,
            cell: (user) => <RowMenu of={user.name} actions={actionsOf(user)} />,
          },
        ]}
        search={{ value: search, onChange: setSearch }}
        actions={add}
        below={
          <Flex>
            <Button asChild size="sm" variant="ghost" ms="-3">
              <Link to="/workspaces">
                <IconArrowLeft aria-hidden />
                All workspaces
              </Link>
            </Button>
          </Flex>
        }
        empty={{ title: 'Nobody yet', text: 'Add people of your organization to this workspace.', action: add }}
      />
      {editing === 'new' && <AddUserDialog workspaceId={id} roles={roles} onClose={() => setEditing(undefined)} />}
      {editing && editing !== 'new' && (
        <RoleDialog workspaceId={id} user={editing} roles={roles} onClose={() => setEditing(undefined)} />
      )}
    </>
  )
}

function Person({ of: { name, email, isDisabled } }: { of: WorkspaceUser }) {
  return (
    <>
      <Flex gap="2" align="center" wrap="wrap">
        <Text fontWeight="medium" overflowWrap="anywhere">
          {name}
        </Text>
        {isDisabled && <Badge>Disabled</Badge>}
      </Flex>
      <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
        {email}
      </Text>
    </>
  )
}

async function confirmRemoval(workspaceId: string, { id, name }: WorkspaceUser): Promise<void> {
  const sure = await confirm({
    title: `Remove ${name}?`,
    description: 'They lose access to this workspace at once, and stay in the organization.',
    confirmButtonName: 'Remove',
    danger: true,
  })
  if (!sure) return
  try {
    await removeUser(workspaceId, id)
    notify.success(`Removed ${name}`)
  } catch (error) {
    notify.error(`Couldn’t remove ${name}: ${errorMessage(error)}`)
  }
}
