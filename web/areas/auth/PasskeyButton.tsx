import { Button } from '@chakra-ui/react'
import { useState } from 'react'
import type { SessionUser } from '#contract/account/account.ts'

interface Props {
  onSignedIn(user: SessionUser): Promise<void>
  onFailed(reason: string): void
}

/** Signs in without a password, where the browser knows passkeys. */
export function PasskeyButton({ onSignedIn, onFailed }: Props) {
  const [busy, setBusy] = useState(false)
  if (!('PublicKeyCredential' in window)) return null
  const signIn = async () => {
    setBusy(true)
    try {
      const { signInWithPasskey } = await import('../../api/passkeys.ts')
      const user = await signInWithPasskey()
      if (user) await onSignedIn(user)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      onFailed(error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="outline" w="full" mt="3" loading={busy} loadingText="Waiting for your passkey" onClick={signIn}>
      Use a passkey
    </Button>
  )
}
