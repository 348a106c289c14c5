import { useState } from 'react'
import type { UndoneEmail } from '#contract/organization/email-calls.ts'
import { api } from '../../api/client.ts'
import { clearSession } from '../../api/session.ts'
import { noErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { AuthForm } from './AuthForm.tsx'
import { AuthText, ToSignIn } from './AuthText.tsx'
import { ChoosePassword } from './ResetPasswordPage.tsx'
import { useLinkToken } from './use-link-token.ts'

/** Puts back the address that the email went to, and goes on with a new password. */
export function UndoEmailPage() {
  const token = useLinkToken()
  const [resetToken, setResetToken] = useState('')
  const form = useForm({
    initial: {},
    check: () => noErrors,
    send: async () => {
      setResetToken((await api.post<UndoneEmail>('/account/email/undo', { token })).resetToken)
      clearSession()
    },
  })
  if (resetToken) return <ChoosePassword token={resetToken} />
  if (!token) {
    return (
      <>
        <AuthText title="Open the link in the email">This page needs the link from our email.</AuthText>
        <ToSignIn />
      </>
    )
  }
  return (
    <>
      <AuthText title="Undo the change of your address?">
        Your account gets its old address back, all sessions end, and you choose a new password.
      </AuthText>
      <AuthForm form={form} fields={[]} button="Undo the change" busyText="Undoing" />
    </>
  )
}
