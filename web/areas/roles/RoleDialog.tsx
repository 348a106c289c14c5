import { Box, chakra, Input, Text } from '@chakra-ui/react'
import { kindOfPermission } from '#contract/access/roles.ts'
import type { Role, RoleFields } from '#contract/organization/members.ts'
import { notify } from '../../state/notify.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { Choice, choicesOf } from '../../ui/forms/fields.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { PermissionTicks } from '../../ui/forms/PermissionTicks.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { saveRole } from './queries.ts'
import { groupsOfKind, KIND_NAMES } from './role-draft.ts'

interface Props {
  /** Undefined for a new role. */
  role: Role | undefined
  initial: RoleFields
  /** Permissions that the user may put into roles. */
  givable: readonly string[]
  onClose(): void
}

/** Creates a role, or edits one. */
export function RoleDialog({ role, initial, givable, onClose }: Props) {
  const form = useForm<RoleFields>({
    initial,
    check: ({ name }) => fieldErrors({ name: name.trim() === '' && 'Enter a name.' }),
    send: async (fields) => {
      await saveRole({ ...fields, name: fields.name.trim() }, role?.id)
      notify.success(role ? 'Role saved' : 'Role created')
      onClose()
    },
  })
  const { values, errors, set } = form
  return (
    <FormDialog
      title={role ? 'Edit role' : 'New role'}
      submit={role ? 'Save' : 'Create'}
      size="lg"
      form={form}
      onClose={onClose}
    >
      {role && role.users > 0 && (
        <Notice>
          {role.users === 1 ? '1 person has' : `${role.users} people have`} this role. Changes apply at once.
        </Notice>
      )}
      <Field label="Name" error={errors.fields.name}>
        <Input autoFocus maxLength={100} value={values.name} onChange={(event) => set({ name: event.target.value })} />
      </Field>
      <Field label="Description" help="Helps others choose the right role." error={errors.fields.description}>
        <Input
          maxLength={500}
          value={values.description}
          onChange={(event) => set({ description: event.target.value })}
        />
      </Field>
      {role ? (
        <Text textStyle="sm">For: {KIND_NAMES[role.kind]}. The kind of a role can’t be changed.</Text>
      ) : (
        <Choice
          label="For"
          help="A role is either about the organization or about a workspace."
          error={errors.fields.kind}
          value={values.kind}
          options={choicesOf(KIND_NAMES)}
          onChange={(kind) =>
            set({ kind, permissions: values.permissions.filter((name) => kindOfPermission(name) === kind) })
          }
        />
      )}
      <Permissions
        values={values}
        givable={givable}
        error={errors.fields.permissions}
        onChange={(permissions) => set({ permissions })}
      />
    </FormDialog>
  )
}

interface PermissionsProps {
  values: RoleFields
  givable: readonly string[]
  error: string | undefined
  onChange(permissions: string[]): void
}

function Permissions({ values: { kind, permissions }, givable, error, onChange }: PermissionsProps) {
  const groups = groupsOfKind(kind)
  const lacksSome = groups.some((group) => group.permissions.some(({ name }) => !givable.includes(name)))
  const described = [lacksSome && 'permissions-help', error && 'permissions-error'].filter(Boolean).join(' ')
  return (
    <chakra.fieldset aria-describedby={described || undefined}>
      <chakra.legend textStyle="sm" fontWeight="medium" mb="1.5">
        Permissions
      </chakra.legend>
      {lacksSome && (
        <Text id="permissions-help" mb="2" textStyle="xs" color="fg.muted">
          A role can give only permissions that you have yourself. You can’t choose the others.
        </Text>
      )}
      <Box borderWidth="1px" borderRadius="l2" px="4" py="1">
        <PermissionTicks
          groups={groups}
          chosen={permissions}
          canChoose={(name) => givable.includes(name)}
          onChange={onChange}
        />
      </Box>
      {error && (
        <Text id="permissions-error" mt="1.5" textStyle="xs" color="fg.error">
          {error}
        </Text>
      )}
    </chakra.fieldset>
  )
}
