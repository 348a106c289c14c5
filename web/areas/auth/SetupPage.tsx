import { Heading, Text } from '@chakra-ui/react'
import { Navigate } from '@tanstack/react-router'
import { AccountForm } from './AccountForm.tsx'
import { AlreadySetUp } from './AlreadySetUp.tsx'
import { setupEntry } from './setup-entry.ts'
import { useSetupCheck } from './use-setup-check.ts'

/** The first account of an installation: it administers everything. */
export function SetupPage() {
  const check = useSetupCheck()
  const entry = setupEntry(check)
  if (entry === 'register') return <Navigate to="/register" replace />
  if (entry === 'signIn') return <AlreadySetUp text="This installation already has its administrator." />
  return (
    <>
      <Heading as="h1" size="2xl">
        Welcome to Heddle
      </Heading>
      <Text color="fg.muted" mt="2" mb="6">
        Create the first account. It administers this installation; everything stays on your own server.
      </Text>
      <AccountForm button="Create account and start" needsToken={check?.needsToken} />
    </>
  )
}
