import { Heading, Link as TextLink } from '@chakra-ui/react'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { SessionUser } from '#contract/account/account.ts'
import type { SecondStepNeeded } from '#contract/organization/security.ts'
import { api } from '../../api/client.ts'
import { session, setSession } from '../../api/session.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { AuthForm, EMAIL_FIELD } from './AuthForm.tsx'
import { checkSignIn } from './account-form.ts'
import { OtherWays } from './OtherWays.tsx'
import { PasskeyButton } from './PasskeyButton.tsx'
import { useSetupCheck } from './use-setup-check.ts'

const SecondStep = lazy(() => import('./SecondStep.tsx'))
const SsoSignIn = lazy(() => import('./SsoSignIn.tsx'))

interface Props {
  next?: string | undefined
  /** The error of a sign-in with an identity provider. */
  refusal?: string | undefined
}

/** Signs in and opens the requested page. */
export function SignInPage({ next = '/app', refusal }: Props) {
  const navigate = useNavigate()
  const { user } = useSnapshot(session)
  const check = useSetupCheck()
  const [step, setStep] = useState<{ challenge?: string; reason?: string | undefined }>({})

  useEffect(() => {
    if (check?.needsSetup) navigate({ to: '/setup', replace: true })
  }, [check, navigate])

  const enter = async (signedIn: SessionUser) => {
    setSession(signedIn)
    await navigate({ href: next })
  }
  const form = useForm({
    initial: { email: '', password: '' },
    check: checkSignIn,
    send: async (fields) => {
      const answer = await api.post<SessionUser | SecondStepNeeded>('/auth/login', fields)
      if ('mfaRequired' in answer) setStep({ challenge: answer.challenge })
      else await enter(answer)
    },
  })
  const stop = (reason?: string) => setStep({ reason })
  if (step.challenge) {
    return (
      <Suspense>
        <SecondStep challenge={step.challenge} onSignedIn={enter} onOver={stop} />
      </Suspense>
    )
  }

  return (
    <>
      <Heading as="h1" size="2xl" mb="6">
        Sign in
      </Heading>
      {user && <SignedInNotice name={user.name} next={next} />}
      {step.reason && (
        <Notice kind="warning" role="alert" mb="5">
          {step.reason}
        </Notice>
      )}
      <AuthForm
        form={form}
        fields={[
          EMAIL_FIELD,
          { name: 'password', label: 'Password', autoComplete: 'current-password', secret: 'password' },
        ]}
        button="Sign in"
        busyText="Signing in"
      />
      <PasskeyButton onSignedIn={enter} onFailed={stop} />
      <Suspense>
        <SsoSignIn email={form.values.email} next={next} reason={refusal} />
      </Suspense>
      <OtherWays isOpen={check?.registrationOpen ?? false} />
    </>
  )
}

function SignedInNotice({ name, next }: { name: string; next: string }) {
  return (
    <Notice mb="5">
      You’re signed in as {name}.{' '}
      <TextLink asChild colorPalette="accent" variant="underline">
        <Link to={next}>Continue</Link>
      </TextLink>
    </Notice>
  )
}
