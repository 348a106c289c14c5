import { Button, Heading, Text } from '@chakra-ui/react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { SessionUser } from '#contract/account/account.ts'
import { api } from '../../api/client.ts'
import { setSession } from '../../api/session.ts'

/** Landing page after an identity provider's response: loads the session and opens the requested page. */
export function SsoSuccessPage({ next = '/app' }: { next?: string }) {
  const navigate = useNavigate()
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    api
      .get<SessionUser>('/auth/me')
      .then((user) => {
        setSession(user)
        return navigate({ href: next, replace: true })
      })
      .catch(() => setFailed(true))
  }, [navigate, next])
  if (!hasFailed) {
    return (
      <Heading as="h1" size="2xl" role="status">
        Signing you in
      </Heading>
    )
  }
  return (
    <>
      <Heading as="h1" size="2xl">
        You’re not signed in
      </Heading>
      <Text color="fg.muted" mt="2" mb="6">
        The session could not be read. Sign in again.
      </Text>
      <Button asChild colorPalette="accent">
        <Link to="/signin">Go to sign in</Link>
      </Button>
    </>
  )
}
