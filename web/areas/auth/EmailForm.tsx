import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { AuthForm, EMAIL_FIELD } from './AuthForm.tsx'
import { checkEmail } from './account-form.ts'

/** Asks for an address and has an email sent there. */
export function EmailForm({ path, button }: { path: string; button: string }) {
  const [sent, setSent] = useState('')
  const form = useForm({
    initial: { email: '' },
    check: checkEmail,
    send: async (fields) => {
      setSent((await api.post<{ message: string }>(path, fields)).message)
    },
  })
  return (
    <>
      {sent && (
        <Notice kind="success" mb="5" role="status">
          {sent}
        </Notice>
      )}
      <AuthForm form={form} fields={[EMAIL_FIELD]} button={sent ? 'Send it again' : button} busyText="Sending" />
    </>
  )
}
