import { useEffect, useState } from 'react'
import type { SetupCheck } from '#contract/account.ts'
import { api } from '../../api/client.ts'

/** Whether this installation has its first account and lets others register; undefined until that is known. */
export function useSetupCheck(): SetupCheck | undefined {
  const [check, setCheck] = useState<SetupCheck>()
  useEffect(() => {
    // Without an answer the form stays as it is: sending it will say what is wrong.
    api.get<SetupCheck>('/account/setup-check').then(setCheck, () => {})
  }, [])
  return check
}
