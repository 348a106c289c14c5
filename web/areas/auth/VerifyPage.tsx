import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Verified } from '#contract/organization/email-calls.ts'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { setSession } from '../../api/session.ts'
import { noErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { AuthForm } from './AuthForm.tsx'
import { AuthText, ToSignIn } from './AuthText.tsx'
import { checkNewPerson, NAME_FIELD, NEW_PASSWORD_FIELD } from './account-form.ts'
import { EmailForm } from './EmailForm.tsx'
import { useLinkToken } from './use-link-token.ts'

/** Confirms by a click: programs that open links in mails would use the token up. */
export function VerifyPage() {
  const token = useLinkToken()
  const navigate = useNavigate()
  const [isDone, setDone] = useState(false)
  // The address was registered in another browser, perhaps by somebody else: whoever confirms it chooses name and password.
  const [chooses, setChooses] = useState(false)
  const form = useForm({
    initial: { name: '', password: '' },
    check: (fields) => (chooses ? checkNewPerson(fields) : noErrors),
    send: async ({ name, password }) => {
      try {
        const given = { token, ...(chooses ? { name: name.trim(), password } : {}) }
        const { user } = await api.post<Verified>('/account/verify', given)
        if (!user) return setDone(true)
        setSession(user)
        await navigate({ to: '/app' })
      } catch (error) {
        if (chooses || !(error instanceof ApiError) || error.field !== 'password') throw error
        setChooses(true)
      }
    },
  })
  if (isDone) {
    return (
      <>
        <AuthText title="Your address is confirmed">You can continue to use Heddle.</AuthText>
        <ToSignIn label="Continue" />
      </>
    )
  }
  const refused = form.errors.fields.token
  if (!token || refused) {
    return (
      <>
        <AuthText title="Confirm your address">
          {refused ?? 'Open the link in the email, or have it sent again.'}
        </AuthText>
        <EmailForm path="/account/resend-verification" button="Send the email" />
      </>
    )
  }
  return (
    <>
      <AuthText title="Confirm your address">
        {chooses
          ? 'You’re in another browser than when you signed up. Enter your name and choose a password for your account.'
          : 'If you signed up for Heddle, confirm that this address is yours.'}
      </AuthText>
      <AuthForm
        key={String(chooses)}
        form={form}
        fields={chooses ? [NAME_FIELD, NEW_PASSWORD_FIELD] : []}
        button="Confirm and continue"
        busyText="Confirming"
      />
    </>
  )
}
