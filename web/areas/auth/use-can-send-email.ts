import { useEffect, useState } from 'react'
import { loadSettings } from '../../api/settings.ts'

/** Returns whether the server can send emails; undefined while loading, and when the settings could not be read. */
export function useCanSendEmail(): boolean | undefined {
  const [canSend, setCanSend] = useState<boolean>()
  useEffect(() => {
    loadSettings().then(
      ({ canSendEmail }) => setCanSend(canSendEmail),
      () => {},
    )
  }, [])
  return canSend
}
