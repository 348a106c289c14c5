import { Box, Button, Heading, Input, Text, Link as TextLink } from '@chakra-ui/react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import type { SessionUser } from '#contract/account.ts'
import { api } from '../../api/client.ts'
import { session, setSession } from '../../api/session.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { Field, Form } from '../../ui/forms/Form.tsx'
import { PasswordInput } from '../../ui/forms/PasswordInput.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { checkSignIn } from './account-form.ts'
import { useSetupCheck } from './use-setup-check.ts'

/** Signs in and opens the requested page. */
export function SignInPage({ next = '/app' }: { next?: string }) {
  const navigate = useNavigate()
  const { user } = useSnapshot(session)
  const check = useSetupCheck()

  useEffect(() => {
    if (check?.needsSetup) navigate({ to: '/setup', replace: true })
  }, [check, navigate])

  const { values, errors, busy, set, submit } = useForm({
    initial: { email: '', password: '' },
    check: checkSignIn,
    send: async (fields) => {
      setSession(await api.post<SessionUser>('/auth/login', fields))
      await navigate({ href: next })
    },
  })

  return (
    <>
      <Heading as="h1" size="2xl" mb="6">
        Sign in
      </Heading>
      {user && (
        <Notice mb="5">
          You’re signed in as {user.name}.{' '}
          <TextLink asChild colorPalette="accent" variant="underline">
            <Link to={next}>Continue</Link>
          </TextLink>
        </Notice>
      )}
      <Form onSubmit={submit} summary={errors.summary}>
        <Field label="Email" error={errors.fields.email}>
          <Input
            type="email"
            name="email"
            autoComplete="username"
            autoFocus
            value={values.email}
            onChange={(event) => set({ email: event.target.value })}
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
        <Button type="submit" colorPalette="accent" loading={busy} loadingText="Signing in">
          Sign in
        </Button>
      </Form>
      {check?.registrationOpen && (
        <Box mt="6" textStyle="sm">
          <Text as="span" color="fg.muted">
            New here?{' '}
          </Text>
          <TextLink asChild colorPalette="accent" variant="underline">
            <Link to="/register">Create an account</Link>
          </TextLink>
        </Box>
      )}
    </>
  )
}
