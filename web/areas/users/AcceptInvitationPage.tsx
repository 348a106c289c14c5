import { Button, Heading, Input, Skeleton, Stack, Text } from '@chakra-ui/react'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import type { SessionUser } from '#contract/account/account.ts'
import type { OpenedInvitation } from '#contract/organization/members.ts'
import { api } from '../../api/client.ts'
import { callPublic } from '../../api/public-client.ts'
import { setSession } from '../../api/session.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { Field, Form } from '../../ui/forms/Form.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { PasswordInput } from '../../ui/forms/PasswordInput.tsx'
import { useForm } from '../../ui/forms/use-form.ts'

const INVITATION_KEY = 'invitation'

/** The token of the link, taken out of the address and kept for this tab, so that it outlives a sign-in. */
function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given) {
    sessionStorage.setItem(INVITATION_KEY, given)
    history.replaceState(history.state, '', location.pathname)
  }
  return given ?? sessionStorage.getItem(INVITATION_KEY) ?? ''
}

const post = async <Answer,>(path: string, body: object) => (await callPublic('POST', path, { body })).json() as Answer

/** Shows an invitation and lets its addressee accept it. */
export function AcceptInvitationPage() {
  const [token] = useState(takeToken)
  const [invitation, setInvitation] = useState<OpenedInvitation>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const show = (error: Error) => setProblem(error.message.replace(/^token: /, ''))
    post<OpenedInvitation>('/account/invitation', { token }).then(setInvitation, show)
  }, [token])
  if (problem) return <Dead problem={problem} />
  if (!invitation) return <Skeleton h="48" role="status" aria-label="Loading the invitation" />
  const { organization, inviter, email } = invitation
  return (
    <>
      <Heading as="h1" size="2xl" overflowWrap="anywhere">
        Join {organization}
      </Heading>
      <Text color="fg.muted" mt="2" mb="6" overflowWrap="anywhere">
        {inviter} invited {email}.
      </Text>
      <Next invitation={invitation} token={token} />
    </>
  )
}

function Dead({ problem }: { problem: string }) {
  return (
    <>
      <Heading as="h1" size="2xl">
        This invitation can’t be used
      </Heading>
      <Text color="fg.muted" mt="2" mb="6">
        {problem}
      </Text>
      <Button asChild colorPalette="accent" w="full">
        <Link to="/signin">Go to sign in</Link>
      </Button>
    </>
  )
}

interface NextProps {
  invitation: OpenedInvitation
  token: string
}

function Next({ invitation, token }: NextProps) {
  switch (invitation.next) {
    case 'register':
      return <NewPerson email={invitation.email} token={token} />
    case 'accept':
      return <Accept token={token} />
    case 'sign_in':
      return (
        <Button asChild colorPalette="accent" w="full">
          <Link to="/signin" search={{ next: '/invite' }}>
            Sign in to accept
          </Link>
        </Button>
      )
    case 'switch':
      return <SignedInAsAnother invitation={invitation} />
    case 'prove':
      return <SignedInElsewhere />
  }
}

/** Accepts and opens the home page; the session is the new member's. */
function useAccept(token: string) {
  const navigate = useNavigate()
  return async (person: { name?: string; password?: string }) => {
    setSession(await post<SessionUser>('/account/invitation/accept', { token, ...person }))
    sessionStorage.removeItem(INVITATION_KEY)
    await navigate({ to: '/app' })
  }
}

function NewPerson({ email, token }: { email: string; token: string }) {
  const accept = useAccept(token)
  const { values, errors, busy, set, submit } = useForm({
    initial: { name: '', password: '' },
    check: ({ name, password }) =>
      fieldErrors({
        name: name.trim() === '' && 'Enter your name.',
        password: password.length < 8 && 'Use at least 8 characters.',
      }),
    send: (fields) => accept(fields),
  })
  return (
    <Form onSubmit={submit} summary={errors.summary}>
      <Field label="Email">
        <Input type="email" autoComplete="username" readOnly value={email} />
      </Field>
      <Field label="Name" error={errors.fields.name}>
        <Input
          autoComplete="name"
          autoFocus
          maxLength={100}
          value={values.name}
          onChange={(event) => set({ name: event.target.value })}
        />
      </Field>
      <Field label="Password" help="At least 8 characters." error={errors.fields.password}>
        <PasswordInput
          autoComplete="new-password"
          value={values.password}
          onChange={(event) => set({ password: event.target.value })}
        />
      </Field>
      <Button type="submit" colorPalette="accent" loading={busy} loadingText="Joining">
        Join
      </Button>
    </Form>
  )
}

function Accept({ token }: { token: string }) {
  const accept = useAccept(token)
  const { errors, busy, submit } = useForm({ initial: {}, check: () => fieldErrors({}), send: () => accept({}) })
  return (
    <Form onSubmit={submit} summary={errors.summary}>
      <Button type="submit" colorPalette="accent" loading={busy} loadingText="Joining">
        Accept
      </Button>
    </Form>
  )
}

function SignedInAsAnother({ invitation: { email, signedInAs } }: { invitation: OpenedInvitation }) {
  return (
    <SignOutFirst>
      You’re signed in as {signedInAs}, but this invitation is for {email}.
    </SignOutFirst>
  )
}

function SignedInElsewhere() {
  return (
    <SignOutFirst>
      You’re signed in through another organization, which can’t take you into this one. Sign out, then sign in with
      your password or passkey to accept.
    </SignOutFirst>
  )
}

function SignOutFirst({ children }: { children: ReactNode }) {
  const leave = async () => {
    await api.logout()
    location.reload()
  }
  return (
    <Stack gap="5">
      <Notice kind="warning">{children}</Notice>
      <Button colorPalette="accent" onClick={() => void leave()}>
        Sign out and continue
      </Button>
      <Button asChild variant="outline">
        <Link to="/app">Stay signed in</Link>
      </Button>
    </Stack>
  )
}
