import type { WorkspaceUsers } from '#contract/organization/workspaces.ts'
import { Choice } from '../../ui/forms/fields.tsx'

interface Props {
  roles: WorkspaceUsers['roles']
  value: string
  error: string | undefined
  onChange(roleId: string): void
}

/** The roles that the person may give here. */
export function RoleChoice({ roles, value, error, onChange }: Props) {
  return (
    <Choice
      label="Role"
      help={roles.find(({ id }) => id === value)?.description}
      value={value}
      options={roles.map(({ id, name }) => [id, name] as const)}
      onChange={onChange}
      {...(error !== undefined && { error })}
    />
  )
}
