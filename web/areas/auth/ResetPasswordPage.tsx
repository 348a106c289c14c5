import { Button, Link as TextLink } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { clearSession } from '../../api/session.ts'
import { Field, Form } from '../../ui/forms/Form.tsx'
import { PasswordInput } from '../../ui/forms/PasswordInput.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { AuthText, ToSignIn } from './AuthText.tsx'
import { checkNewPassword, MIN_PASSWORD } from './account-form.ts'
import { useLinkToken } from './use-link-token.ts'

export function ResetPasswordPage() {
  const token = useLinkToken()
  const [isDone, setDone] = useState(false)
  const { values, errors, busy, set, submit } = useForm({
    initial: { password: '' },
    check: checkNewPassword,
    send: async (fields) => {
      await api.post('/account/reset-password', { token, ...fields })
      clearSession()
      setDone(true)
    },
  })
  if (isDone) {
    return (
      <>
        <AuthText title="Your password is changed">You’re signed out everywhere. Sign in with the new one.</AuthText>
        <ToSignIn label="Sign in" />
      </>
    )
  }
  if (!token) {
    return (
      <>
        <AuthText title="Open the link in the letter">This page needs the link from your newest letter.</AuthText>
        <NewLink />
      </>
    )
  }
  return (
    <>
      <AuthText title="Choose a new password">All your sessions end, on every device.</AuthText>
      <Form onSubmit={submit} summary={errors.fields.token ?? errors.summary}>
        <Field label="New password" help={`At least ${MIN_PASSWORD} characters.`} error={errors.fields.password}>
          <PasswordInput
            name="password"
            autoComplete="new-password"
            autoFocus
            value={values.password}
            onChange={(event) => set({ password: event.target.value })}
          />
        </Field>
        <Button type="submit" colorPalette="accent" loading={busy} loadingText="Saving">
          Change password
        </Button>
        {errors.fields.token && <NewLink />}
      </Form>
    </>
  )
}

function NewLink() {
  return (
    <TextLink asChild colorPalette="accent" variant="underline">
      <Link to="/forgot-password">Send me a new link</Link>
    </TextLink>
  )
}
