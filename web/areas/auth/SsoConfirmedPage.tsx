import { useEffect } from 'react'
import { CONFIRM_CHANNEL } from '#contract/organization/security.ts'
import { AuthText } from './AuthText.tsx'

/** Ends a proof that a provider gave: tells the page that asked, and closes its window. */
export function SsoConfirmedPage({ failed }: { failed: string | undefined }) {
  useEffect(() => {
    const channel = new BroadcastChannel(CONFIRM_CHANNEL)
    channel.postMessage(failed ?? null)
    channel.close()
    window.close()
  }, [failed])
  return failed ? (
    <AuthText title="That didn’t confirm it’s you">Close this window, and try again on the page that asked.</AuthText>
  ) : (
    <AuthText title="Confirmed">Close this window, and continue where you left off.</AuthText>
  )
}
