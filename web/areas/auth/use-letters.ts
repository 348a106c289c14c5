import { useEffect, useState } from 'react'
import { loadSettings } from '../../api/settings.ts'

/** Returns whether the server can send letters; undefined while loading, and when the settings could not be read. */
export function useLetters(): boolean | undefined {
  const [canSend, setCanSend] = useState<boolean>()
  useEffect(() => {
    loadSettings().then(
      ({ canSendLetters }) => setCanSend(canSendLetters),
      () => {},
    )
  }, [])
  return canSend
}
