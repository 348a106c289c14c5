import { Button } from '@chakra-ui/react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Verified } from '#contract/organization/letter-calls.ts'
import { api } from '../../api/client.ts'
import { setSession } from '../../api/session.ts'
import { Form } from '../../ui/forms/Form.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { AuthText, ToSignIn } from './AuthText.tsx'
import { LetterForm } from './LetterForm.tsx'
import { useLinkToken } from './use-link-token.ts'

/** Confirms by a click: programs that open links in mails would use the token up. */
export function VerifyPage() {
  const token = useLinkToken()
  const navigate = useNavigate()
  const [isDone, setDone] = useState(false)
  const { errors, busy, submit } = useForm({
    initial: {},
    check: () => ({ fields: {} }),
    send: async () => {
      const { user } = await api.post<Verified>('/account/verify', { token })
      if (!user) return setDone(true)
      setSession(user)
      await navigate({ to: '/app' })
    },
  })
  if (isDone) {
    return (
      <>
        <AuthText title="Your address is confirmed">You can go on using Heddle.</AuthText>
        <ToSignIn label="Go on" />
      </>
    )
  }
  if (!token || errors.fields.token) {
    return (
      <>
        <AuthText title="Confirm your address">
          {errors.fields.token ?? 'Open the link in the letter, or have it sent again.'}
        </AuthText>
        <LetterForm path="/account/resend-verification" button="Send the letter" />
      </>
    )
  }
  return (
    <>
      <AuthText title="Confirm your address">If you signed up for Heddle, confirm that this address is yours.</AuthText>
      <Form onSubmit={submit} summary={errors.summary}>
        <Button type="submit" colorPalette="accent" loading={busy} loadingText="Confirming">
          Confirm and go on
        </Button>
      </Form>
    </>
  )
}
