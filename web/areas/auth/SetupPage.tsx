import { Heading, Text } from '@chakra-ui/react'
import { Navigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { AccountForm } from './AccountForm.tsx'
import { AlreadySetUp } from './AlreadySetUp.tsx'
import { BasicAuthForm } from './BasicAuthForm.tsx'
import { setupEntry } from './setup-entry.ts'
import { useSetupCheck } from './use-setup-check.ts'

/** Creates the first account of an installation, the administrator. */
export function SetupPage() {
  const check = useSetupCheck()
  const entry = setupEntry(check)
  const [isLocked, setLocked] = useState(false)
  useEffect(() => {
    // On failure the form stays, and submitting it reports the problem.
    api.get<{ required: boolean }>('/account/basic-auth').then(
      ({ required }) => setLocked(required),
      () => {},
    )
  }, [])
  if (entry === 'register') return <Navigate to="/register" replace />
  if (entry === 'signIn') return <AlreadySetUp text="This installation already has an administrator." />
  if (isLocked) return <BasicAuthForm onOpen={() => setLocked(false)} />
  return (
    <>
      <Heading as="h1" size="2xl">
        Welcome to Heddle
      </Heading>
      <Text color="fg.muted" mt="2" mb="6">
        Create the first account. You’ll be the administrator. All data stays on your server.
      </Text>
      <AccountForm button="Create account and start" needsToken={check?.needsToken} />
    </>
  )
}
