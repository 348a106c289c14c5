import { Box, chakra, Input, NativeSelect, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { InviteChoices } from '#contract/organization/members.ts'
import { notify } from '../../state/notify.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { Choice } from '../../ui/forms/fields.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { choicesQuery, invite } from './queries.ts'

interface Props {
  /** The link to hand over, where the server sends no mail. */
  onLink(link: string): void
  onClose(): void
}

/** Invites somebody into workspaces, with roles that the user holds there. */
export function InviteDialog({ onLink, onClose }: Props) {
  const { data, error } = useQuery(choicesQuery)
  const form = useForm({
    initial: { email: '', roleId: '', given: {} as Record<string, string> },
    check: ({ email, given }) =>
      fieldErrors({
        email: email.trim() === '' && 'Enter an email address.',
        workspaces: Object.values(given).every((roleId) => roleId === '') && 'Choose a role in at least one workspace.',
      }),
    send: async ({ email, roleId, given }) => {
      const chosen = Object.entries(given).filter(([, role]) => role !== '')
      const workspaces = chosen.map(([workspaceId, role]) => ({ workspaceId, roleId: role }))
      const { link } = await invite({ email: email.trim(), roleId: roleId || null, workspaces })
      if (link) onLink(link)
      else notify.success(`Invitation sent to ${email.trim()}`)
      onClose()
    },
  })
  const { values, errors, set } = form
  return (
    <FormDialog title="Invite a person" submit="Invite" size="md" form={form} onClose={onClose}>
      <Field label="Email" error={errors.fields.email}>
        <Input
          type="email"
          autoFocus
          autoComplete="off"
          maxLength={254}
          value={values.email}
          onChange={(event) => set({ email: event.target.value })}
        />
      </Field>
      {error && <Notice kind="danger">Couldn’t load roles: {error.message}</Notice>}
      {!data && !error && <Skeleton h="24" />}
      {data && (
        <Workspaces
          choices={data}
          given={values.given}
          error={errors.fields.workspaces}
          onChange={(given) => set({ given })}
        />
      )}
      {data && data.roles.length > 0 && (
        <Choice
          label="Role in the organization"
          help="For people who look after users, roles or workspaces."
          error={errors.fields.roleId}
          value={values.roleId}
          options={[['', 'None'], ...data.roles.map(({ id, name }) => [id, name] as const)]}
          onChange={(roleId) => set({ roleId })}
        />
      )}
    </FormDialog>
  )
}

interface WorkspacesProps {
  choices: InviteChoices
  /** Role by workspace; empty for none. */
  given: Record<string, string>
  error?: string
  onChange(given: Record<string, string>): void
}

function Workspaces({ choices, given, error, onChange }: WorkspacesProps) {
  return (
    <chakra.fieldset aria-describedby={error ? 'workspaces-error' : undefined}>
      <chakra.legend textStyle="sm" fontWeight="medium" mb="1.5">
        Workspaces
      </chakra.legend>
      <Stack gap="2" maxH="60" overflowY="auto">
        {choices.workspaces.map(({ id, name, roles }) => (
          <Box key={id} display="grid" gridTemplateColumns="1fr 1fr" gap="3" alignItems="center">
            <Text truncate>{name}</Text>
            <NativeSelect.Root size="sm">
              <NativeSelect.Field
                aria-label={`Role in ${name}`}
                value={given[id] ?? ''}
                onChange={(event) => onChange({ ...given, [id]: event.target.value })}
              >
                <option value="">No access</option>
                {roles.map((role) => (
                  <option key={role.id} value={role.id}>
                    {role.name}
                  </option>
                ))}
              </NativeSelect.Field>
              <NativeSelect.Indicator />
            </NativeSelect.Root>
          </Box>
        ))}
      </Stack>
      {error && (
        <Text id="workspaces-error" mt="1.5" textStyle="xs" color="fg.error">
          {error}
        </Text>
      )}
    </chakra.fieldset>
  )
}
