import type { Places } from '#contract/organization/sso.ts'
import { Choice, FieldRow } from '../../ui/forms/fields.tsx'

export interface RolePlace {
  workspaceId: string
  roleId: string
}

export const NO_PLACES: Places = { workspaces: [], roles: [] }

interface PlaceProps {
  title: string
  help?: string
  error?: string | undefined
  places: Places
  value: RolePlace
  onChange(value: RolePlace): void
}

/** A workspace and a role in it. */
export function PlaceFields({ title, help, error, places, value, onChange }: PlaceProps) {
  const optionsOf = (list: Places['roles']) =>
    [['', 'None'], ...list.map(({ id, name }) => [id, name] as const)] as [string, string][]
  return (
    <FieldRow>
      <Choice
        label={`${title}: workspace`}
        help={help}
        {...(error && { error })}
        value={value.workspaceId}
        options={optionsOf(places.workspaces)}
        onChange={(workspaceId) => onChange({ ...value, workspaceId })}
      />
      <Choice
        label={`${title}: role`}
        value={value.roleId}
        options={optionsOf(places.roles)}
        onChange={(roleId) => onChange({ ...value, roleId })}
      />
    </FieldRow>
  )
}
