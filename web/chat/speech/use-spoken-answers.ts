import { useEffect, useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import type { RunEvent } from '#contract/runs/events.ts'
import { notify } from '../../state/notify.ts'
import { hearAnswers, voice } from './voice.ts'

/** Returns a listener to the events of runs, which plays the answers that come with their sound while the chat is open. */
export function useSpokenAnswers(): (event: RunEvent) => void {
  const [hear] = useState(() => hearAnswers((error) => notify.error(errorMessage(error))))
  useEffect(() => () => voice.stop(), [])
  return hear
}
