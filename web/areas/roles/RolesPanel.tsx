import { Badge, Button, Flex, Heading, Skeleton, Stack, Text } from '@chakra-ui/react'
import { IconCopy, IconEye, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role, RoleFields } from '#contract/organization/members.ts'
import { deleteAsset } from '../../state/delete-asset.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { RowMenu } from '../../ui/lists/RowMenu.tsx'
import { RowTable } from '../../ui/lists/RowTable.tsx'
import type { MenuAction } from '../../ui/menu/OpenMenu.tsx'
import { deleteRole, givableQuery, rolesQuery } from './queries.ts'
import { RoleDialog } from './RoleDialog.tsx'
import { RolePermissionsDialog } from './RolePermissionsDialog.tsx'
import { copyRole, KIND_NAMES, newRole } from './role-draft.ts'

type Open = { kind: 'show'; role: Role } | { kind: 'edit'; role?: Role; initial: RoleFields }

/** The roles of the organization. */
export default function RolesPanel() {
  const roles = useQuery(rolesQuery)
  const givable = useQuery(givableQuery)
  const [open, setOpen] = useState<Open>()
  const error = roles.error ?? givable.error
  const retry = () => void Promise.all([roles.refetch(), givable.refetch()])
  if (error) return <ErrorState title="Couldn’t load roles" text={error.message} onRetry={retry} />
  if (!roles.data || !givable.data) return <Skeleton h="64" role="status" aria-label="Loading roles" />
  const close = () => setOpen(undefined)
  const names = roles.data.map(({ name }) => name)
  const duplicate = (role: Role) => setOpen({ kind: 'edit', initial: copyRole(role, { names, givable: givable.data }) })
  return (
    <Stack gap="4">
      <Flex justify="space-between" align="center" gap="4" wrap="wrap">
        <Heading as="h2" size="lg">
          All roles
        </Heading>
        <Button colorPalette="accent" onClick={() => setOpen({ kind: 'edit', initial: newRole })}>
          <IconPlus aria-hidden />
          New role
        </Button>
      </Flex>
      <RoleTable roles={roles.data} onOpen={setOpen} onDuplicate={duplicate} />
      {open?.kind === 'show' && <RolePermissionsDialog role={open.role} onClose={close} />}
      {open?.kind === 'edit' && (
        <RoleDialog role={open.role} initial={open.initial} givable={givable.data} onClose={close} />
      )}
    </Stack>
  )
}

interface TableProps {
  roles: Role[]
  onOpen(open: Open): void
  onDuplicate(role: Role): void
}

function RoleTable({ roles, onOpen, onDuplicate }: TableProps) {
  const actionsOf = (role: Role): MenuAction[] => [
    role.builtIn
      ? { label: 'Show permissions', icon: IconEye, onSelect: () => onOpen({ kind: 'show', role }) }
      : { label: 'Edit', icon: IconPencil, onSelect: () => onOpen({ kind: 'edit', role, initial: fieldsOf(role) }) },
    { label: 'Duplicate', icon: IconCopy, onSelect: () => onDuplicate(role) },
    ...(role.builtIn
      ? []
      : [{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => void confirmDelete(role) }]),
  ]
  return (
    <RowTable
      label="Roles"
      rows={roles}
      columns={[
        { header: 'Name', cell: (role) => <Name of={role} /> },
        { header: 'For', cell: ({ kind }) => KIND_NAMES[kind], minor: true },
        { header: 'Permissions', cell: ({ permissions }) => permissions.length, minor: true },
        { header: 'People', cell: ({ users }) => users },
        { header: 'Actions', quiet: true, cell: (role) => <RowMenu of={role.name} actions={actionsOf(role)} /> },
      ]}
    />
  )
}

function Name({ of: { name, description, builtIn } }: { of: Role }) {
  return (
    <>
      <Flex gap="2" align="center" wrap="wrap">
        <Text fontWeight="medium">{name}</Text>
        {builtIn && <Badge>Built in</Badge>}
      </Flex>
      {description && (
        <Text textStyle="xs" color="fg.muted">
          {description}
        </Text>
      )}
    </>
  )
}

const fieldsOf = ({ name, description, kind, permissions }: Role): RoleFields => ({
  ...{ name, description, kind, permissions },
})

const confirmDelete = ({ id, name }: Role) =>
  deleteAsset({ name, description: 'This can’t be undone.', remove: () => deleteRole(id) })
