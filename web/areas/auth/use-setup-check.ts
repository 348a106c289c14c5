import { useEffect, useState } from 'react'
import type { SetupCheck } from '#contract/account/account.ts'
import { api } from '../../api/client.ts'

/** Returns whether the first account exists and registration is open; undefined while loading. */
export function useSetupCheck(): SetupCheck | undefined {
  const [check, setCheck] = useState<SetupCheck>()
  useEffect(() => {
    // On failure the form stays, and submitting it reports the problem.
    api.get<SetupCheck>('/account/setup-check').then(setCheck, () => {})
  }, [])
  return check
}
