import { IconButton } from '@chakra-ui/react'
import { IconPlayerStop, IconVolume } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import { notify } from '../../state/notify.ts'
import { playAnswer, type SpokenAnswer } from './play-speech.ts'

/** Plays an answer, and stops it. */
export default function SpeakButton({ answer }: { answer: SpokenAnswer }) {
  const [isPlaying, setPlaying] = useState(false)
  const player = useRef<AbortController>(undefined)
  useEffect(() => () => player.current?.abort(), [])

  const play = async () => {
    const controller = new AbortController()
    player.current = controller
    setPlaying(true)
    try {
      await playAnswer(answer, controller.signal)
    } catch (error) {
      if (!controller.signal.aborted) notify.error(errorMessage(error))
    } finally {
      setPlaying(false)
    }
  }
  const label = isPlaying ? 'Stop listening' : 'Listen to answer'
  return (
    <IconButton
      size="2xs"
      variant="ghost"
      aria-label={label}
      title={label}
      onClick={() => (isPlaying ? player.current?.abort() : void play())}
    >
      {isPlaying ? <IconPlayerStop size={14} /> : <IconVolume size={14} />}
    </IconButton>
  )
}
