import { Button } from '@chakra-ui/react'
import { useState } from 'react'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { PasswordInput } from '../../ui/forms/PasswordInput.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { changePassword } from './queries.ts'
import { Section } from './Section.tsx'

const SHORTEST = 8

export function PasswordSection() {
  const [changing, setChanging] = useState(false)
  return (
    <Section title="Password" purpose="Changing it signs you out everywhere else.">
      <Button variant="outline" onClick={() => setChanging(true)}>
        Change password
      </Button>
      {changing && <PasswordDialog onClose={() => setChanging(false)} />}
    </Section>
  )
}

function PasswordDialog({ onClose }: { onClose(): void }) {
  const form = useForm({
    initial: { currentPassword: '', newPassword: '' },
    check: ({ currentPassword, newPassword }) =>
      fieldErrors({
        currentPassword: currentPassword === '' && 'Enter your current password.',
        newPassword: newPassword.length < SHORTEST && `Use at least ${SHORTEST} characters.`,
      }),
    send: async (fields) => {
      await changePassword(fields)
      notify.success('Password changed. Other sessions have ended.')
      onClose()
    },
  })
  const { values, errors, set } = form
  return (
    <FormDialog title="Change password" submit="Change password" form={form} onClose={onClose}>
      <Field label="Current password" error={errors.fields.currentPassword}>
        <PasswordInput
          noun="current password"
          autoComplete="current-password"
          value={values.currentPassword}
          onChange={(event) => set({ currentPassword: event.target.value })}
        />
      </Field>
      <Field label="New password" help={`At least ${SHORTEST} characters.`} error={errors.fields.newPassword}>
        <PasswordInput
          noun="new password"
          autoComplete="new-password"
          value={values.newPassword}
          onChange={(event) => set({ newPassword: event.target.value })}
        />
      </Field>
    </FormDialog>
  )
}
