import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import type { RunEvent } from '#contract/runs/events.ts'
import { notify } from '../../state/notify.ts'
import { collectSound, playSound } from './play-speech.ts'

/** Returns a listener to the events of runs, which plays the answers that come with their sound. */
export function useSpokenAnswers(): (event: RunEvent) => void {
  const [sound] = useState(collectSound)
  const player = useRef<AbortController>(undefined)
  useEffect(() => () => player.current?.abort(), [])
  const report = (error: unknown) => notify.error(errorMessage(error))
  return (event) => {
    try {
      if (!sound.add(event)) return
    } catch (error) {
      return report(error)
    }
    player.current?.abort()
    const controller = new AbortController()
    player.current = controller
    void playSound(sound.take(), controller.signal).catch(report)
  }
}
