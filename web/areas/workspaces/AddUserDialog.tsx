import type { WorkspaceUsers } from '#contract/organization/workspaces.ts'
import { notify } from '../../state/notify.ts'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { addUser } from './queries.ts'
import { RoleChoice } from './RoleChoice.tsx'

interface Props {
  workspaceId: string
  roles: WorkspaceUsers['roles']
  onClose(): void
}

/** Adds somebody of the organization to the workspace. */
export function AddUserDialog({ workspaceId, roles, onClose }: Props) {
  const form = useForm({
    // The last built-in role gives least.
    initial: { email: '', roleId: roles.find(({ name }) => name === 'Viewer')?.id ?? roles[0]?.id ?? '' },
    check: ({ email }) => fieldErrors({ email: email.trim() === '' && 'Enter an email address.' }),
    send: async ({ email, roleId }) => {
      await addUser(workspaceId, { email: email.trim(), roleId })
      notify.success(`Added ${email.trim()}`)
      onClose()
    },
  })
  const { values, errors, set } = form
  return (
    <FormDialog title="Add a person" submit="Add" form={form} onClose={onClose}>
      <TextField
        label="Email"
        type="email"
        help="Of someone in your organization."
        value={values.email}
        onChange={(email) => set({ email })}
        {...(errors.fields.email !== undefined && { error: errors.fields.email })}
      />
      <RoleChoice
        roles={roles}
        value={values.roleId}
        error={errors.fields.roleId}
        onChange={(roleId) => set({ roleId })}
      />
    </FormDialog>
  )
}
