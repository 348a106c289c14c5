import { Button, Heading, Stack, Text } from '@chakra-ui/react'
import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { api } from '../../api/client.ts'

/** Replaces what is the person's in every organization, for a session that one organization's provider opened. */
export function LimitedAccount() {
  const id = useId()
  const navigate = useNavigate()
  const signInAgain = async () => {
    await api.logout()
    await navigate({ to: '/signin', search: { next: '/account' } })
  }
  return (
    <Stack as="section" aria-labelledby={id} gap="4" maxW="2xl" align="start">
      <Heading as="h2" id={id} size="lg">
        Sign in with your password or passkey to change your account
      </Heading>
      <Text color="fg.muted">
        You signed in with your organization’s provider. It opens this organization only, and your account is more than
        that: your name, email address, passkeys and sessions are yours everywhere.
      </Text>
      <Text color="fg.muted">
        No password yet? Choose one with “Forgot your password?” on the sign-in page. Until then, an admin of this
        organization can remove you from it.
      </Text>
      <Button colorPalette="accent" onClick={() => void signInAgain()}>
        Sign out and sign in again
      </Button>
    </Stack>
  )
}
