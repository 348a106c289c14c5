import type { WorkspaceUser, WorkspaceUsers } from '#contract/organization/workspaces.ts'
import { notify } from '../../state/notify.ts'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { changeRole } from './queries.ts'
import { RoleChoice } from './RoleChoice.tsx'

interface Props {
  workspaceId: string
  user: WorkspaceUser
  roles: WorkspaceUsers['roles']
  onClose(): void
}

export function RoleDialog({ workspaceId, user, roles, onClose }: Props) {
  const given = roles.find(({ id }) => id === user.role?.id) ?? roles[0]
  const form = useForm({
    initial: { roleId: given?.id ?? '' },
    check: ({ roleId }) => fieldErrors({ roleId: roleId === '' && 'Choose a role.' }),
    send: async ({ roleId }) => {
      await changeRole(workspaceId, { userId: user.id, roleId })
      notify.success(`Changed the role of ${user.name}`)
      onClose()
    },
  })
  return (
    <FormDialog title={`Role of ${user.name}`} submit="Change" form={form} onClose={onClose}>
      <RoleChoice
        roles={roles}
        value={form.values.roleId}
        error={form.errors.fields.roleId}
        onChange={(roleId) => form.set({ roleId })}
      />
    </FormDialog>
  )
}
