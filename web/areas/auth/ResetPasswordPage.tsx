import { Link as TextLink } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { clearSession } from '../../api/session.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { AuthForm } from './AuthForm.tsx'
import { AuthText, ToSignIn } from './AuthText.tsx'
import { checkNewPassword, NEW_PASSWORD_FIELD } from './account-form.ts'
import { useLinkToken } from './use-link-token.ts'

export function ResetPasswordPage() {
  const token = useLinkToken()
  if (token) return <ChoosePassword token={token} />
  return (
    <>
      <AuthText title="Open the link in the email">This page needs the link from our latest email.</AuthText>
      <NewLink />
    </>
  )
}

/** @param props.token of an email, or of an address that was just put back */
export function ChoosePassword({ token }: { token: string }) {
  const [isDone, setDone] = useState(false)
  const form = useForm({
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
        <AuthText title="Your password was changed">
          You’re signed out everywhere. Sign in with the new one, and see what else opens your account.
        </AuthText>
        <ToSignIn label="Sign in" next="/review-sign-in" />
      </>
    )
  }
  return (
    <>
      <AuthText title="Choose a new password">All your sessions end, on every device.</AuthText>
      <AuthForm
        form={form}
        fields={[{ ...NEW_PASSWORD_FIELD, label: 'New password' }]}
        button="Change password"
        busyText="Saving"
      >
        {form.errors.fields.token && <NewLink />}
      </AuthForm>
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
