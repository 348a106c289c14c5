import { Button, Stack } from '@chakra-ui/react'
import { useEffect, useState } from 'react'
import type { LoginMethods, OfferedProvider, SignInMethods, SsoRefusalReason } from '#contract/organization/sso.ts'
import { api, apiOrigin } from '../../api/client.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'

interface Props {
  /** The address that the person has entered so far. */
  email: string
  next: string
  /** The error of a sign-in with a provider. */
  reason?: string | undefined
}

/** The providers that everybody may use, and those of the entered address's domain. */
export default function SsoSignIn({ email, next, reason }: Props) {
  const [offered, setOffered] = useState<OfferedProvider[]>([])
  const methods = useMethods(email)
  useEffect(() => {
    // Without an answer the password is left.
    api.get<LoginMethods>('/loginmethod/default').then(
      (found) => setOffered(found.methods),
      () => {},
    )
  }, [])
  const providers = [...(methods?.providers ?? []), ...offered]
  return (
    <Stack gap="3" mt={providers.length > 0 || reason ? '6' : '0'}>
      {reason && <Notice kind="danger">{textOf(reason)}</Notice>}
      {methods?.password === false && <Notice>People of your organization sign in here:</Notice>}
      {providers.map(({ id, name }) => (
        <Button key={id} asChild variant="outline" w="full">
          <a href={`${apiOrigin}/api/v1/sso/${id}/start?next=${encodeURIComponent(next)}`}>Continue with {name}</a>
        </Button>
      ))}
    </Stack>
  )
}

/** Returns the part after the @ of an address that looks complete. */
function domainOf(email: string): string | undefined {
  const [name, domain = '', ...more] = email.trim().split('@')
  const isComplete = name !== '' && more.length === 0 && !/\s/.test(domain) && domain.indexOf('.') > 0
  return isComplete && !domain.endsWith('.') ? domain : undefined
}

/** Asks for the methods of an address's domain, once typing pauses. */
function useMethods(email: string): SignInMethods | undefined {
  const [methods, setMethods] = useState<SignInMethods>()
  const domain = domainOf(email)
  useEffect(() => {
    setMethods(undefined)
    if (!domain) return
    let isOver = false
    const show = (found: SignInMethods) => !isOver && setMethods(found)
    // The domain alone decides, so nobody's address is sent.
    const timer = setTimeout(
      () => api.post<SignInMethods>('/auth/methods', { email: `x@${domain}` }).then(show, () => {}),
      400,
    )
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [domain])
  return methods
}

const FAILED = 'Signing in with the provider failed. Try again, or ask your admin to test its settings.'

const TEXTS: Record<SsoRefusalReason, string> = {
  expired: 'This sign-in has expired or was started in another browser. Start again.',
  denied: 'The provider refused to sign you in.',
  failed: FAILED,
  off: 'This provider is switched off. Sign in another way.',
  unverified:
    'The provider does not confirm your email address. Sign in another way, then link the provider on your account page.',
  link: 'There is an account with your address. Sign in another way, then link the provider on your account page.',
  taken: 'This identity is linked with another account.',
  disabled: 'Your account is disabled. Ask an admin of your organization.',
  not_invited: 'You have no access yet. Ask an admin of your organization to invite you.',
  no_workspace: 'You have no workspace yet. Ask an admin of your organization to add you to one.',
  platform_admin: 'The platform admin cannot sign in with an organization’s provider. Use your password.',
}

const textOf = (reason: string): string => (Object.hasOwn(TEXTS, reason) ? TEXTS[reason as SsoRefusalReason] : FAILED)
