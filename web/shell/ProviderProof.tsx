import { Button, Text } from '@chakra-ui/react'
import { useEffect, useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import { CONFIRM_CHANNEL } from '#contract/organization/security.ts'
import { api } from '../api/client.ts'
import { openProvider } from '../inputs/oauth/oauth-window.ts'
import { Notice } from '../ui/feedback/Notice.tsx'

interface Props {
  /** The name of the identity provider that opened the session. */
  provider: string
  onAnswer(proved: boolean): void
}

const FAILED: Record<string, string> = {
  taken: 'You signed in there as somebody else. Sign in as the person who is signed in here.',
  expired: 'That took too long. Start again.',
}

/** Lets somebody sign in again at the provider that opened the session, in a window of its own. */
export function ProviderProof({ provider, onAnswer }: Props) {
  const [problem, setProblem] = useState<string>()
  const [waits, setWaits] = useState(false)
  useEffect(() => {
    const channel = new BroadcastChannel(CONFIRM_CHANNEL)
    channel.onmessage = ({ data: reason }: MessageEvent<string | null>) => {
      if (reason === null) return onAnswer(true)
      setWaits(false)
      setProblem(FAILED[reason] ?? `${provider} did not confirm that it’s you. Try again.`)
    }
    return () => channel.close()
  }, [provider, onAnswer])
  const ask = async () => {
    setProblem(undefined)
    try {
      await openProvider(async () => (await api.post<{ url: string }>('/auth/confirm/provider')).url)
      setWaits(true)
    } catch (error) {
      setProblem(errorMessage(error))
    }
  }
  return (
    <>
      <Text mb="4">Sign in again with {provider}. Then you can continue on this page.</Text>
      {problem && (
        <Notice kind="danger" mb="4">
          {problem}
        </Notice>
      )}
      <Button colorPalette="accent" onClick={ask}>
        {waits ? `Open ${provider} again` : `Continue with ${provider}`}
      </Button>
      {waits && (
        <Text mt="3" textStyle="sm" color="fg.muted" role="status">
          Waiting for {provider}.
        </Text>
      )}
    </>
  )
}
