import { useQuery } from '@tanstack/react-query'
import type { OrganizationMember } from '#contract/organization/members.ts'
import { notify } from '../../state/notify.ts'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { Choice } from '../../ui/forms/fields.tsx'
import { noErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { choicesQuery, setRole } from './queries.ts'

/** Gives a person another role in the organization. */
export function RoleDialog({ member, onClose }: { member: OrganizationMember; onClose(): void }) {
  const { data } = useQuery(choicesQuery)
  const form = useForm({
    initial: { roleId: member.role?.id ?? '' },
    check: () => noErrors,
    send: async ({ roleId }) => {
      await setRole(member.id, roleId || null)
      notify.success('Role saved')
      onClose()
    },
  })
  return (
    <FormDialog title={`Role of ${member.name}`} submit="Save" form={form} onClose={onClose}>
      <Choice
        label="Role in the organization"
        help="Roles in workspaces are set in each workspace."
        error={form.errors.fields.roleId}
        value={form.values.roleId}
        options={[['', 'None'], ...(data?.roles ?? []).map(({ id, name }) => [id, name] as const)]}
        onChange={(roleId) => form.set({ roleId })}
      />
    </FormDialog>
  )
}
