import { Button, Input } from '@chakra-ui/react'
import { api } from '../../api/client.ts'
import { Field, Form } from '../../ui/forms/Form.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { PasswordInput } from '../../ui/forms/PasswordInput.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { AuthText } from './AuthText.tsx'

/** Asks for what the operator set in front of /setup. */
export function BasicAuthForm({ onOpen }: { onOpen(): void }) {
  const { values, errors, busy, set, submit } = useForm({
    initial: { username: '', password: '' },
    check: ({ username, password }) =>
      fieldErrors({
        username: username === '' && 'Enter the user name.',
        password: password === '' && 'Enter the password.',
      }),
    send: async (fields) => {
      await api.post('/account/basic-auth', fields)
      onOpen()
    },
  })
  return (
    <>
      <AuthText title="Set up Heddle">Enter the SETUP_USERNAME and SETUP_PASSWORD of this server.</AuthText>
      <Form onSubmit={submit} summary={errors.summary}>
        <Field label="User name" error={errors.fields.username}>
          <Input
            name="username"
            autoComplete="username"
            autoFocus
            value={values.username}
            onChange={(event) => set({ username: event.target.value })}
          />
        </Field>
        <Field label="Password" error={errors.fields.password}>
          <PasswordInput
            name="password"
            autoComplete="current-password"
            value={values.password}
            onChange={(event) => set({ password: event.target.value })}
          />
        </Field>
        <Button type="submit" colorPalette="accent" loading={busy} loadingText="Opening">
          Go on
        </Button>
      </Form>
    </>
  )
}
