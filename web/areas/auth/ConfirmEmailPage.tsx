import { Button } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { SessionUser } from '#contract/account/account.ts'
import { api } from '../../api/client.ts'
import { session, setSession } from '../../api/session.ts'
import { noErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { AuthForm } from './AuthForm.tsx'
import { AuthText } from './AuthText.tsx'
import { useLinkToken } from './use-link-token.ts'

/** Changes the signed-in person's address to the one that the email went to. */
export function ConfirmEmailPage() {
  const token = useLinkToken({ keptAs: 'new-email' })
  const { user } = useSnapshot(session)
  const [email, setEmail] = useState('')
  const form = useForm({
    initial: {},
    check: () => noErrors,
    send: async () => {
      const changed = await api.post<SessionUser>('/account/email/confirm', { token })
      setSession(changed)
      setEmail(changed.email)
    },
  })
  if (email) {
    return (
      <>
        <AuthText title="Your address was changed">From now on you sign in with {email}.</AuthText>
        <ToAccount />
      </>
    )
  }
  if (!token) {
    return (
      <>
        <AuthText title="Open the link in the email">This page needs the link from our latest email.</AuthText>
        <ToAccount />
      </>
    )
  }
  if (!user) {
    return (
      <>
        <AuthText title="Confirm your new address">Sign in with your current address first.</AuthText>
        <Button asChild colorPalette="accent" w="full">
          <Link to="/signin" search={{ next: '/confirm-email' }}>
            Sign in
          </Link>
        </Button>
      </>
    )
  }
  return (
    <>
      <AuthText title="Confirm your new address">
        You’re signed in as {user.email}. The address that this email went to takes its place.
      </AuthText>
      <AuthForm form={form} fields={[]} button="Change my address" busyText="Changing" />
    </>
  )
}

function ToAccount() {
  return (
    <Button asChild colorPalette="accent" w="full">
      <Link to="/account" search={{ tab: 'security' }}>
        Go to your account
      </Link>
    </Button>
  )
}
