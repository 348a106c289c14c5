import { IconButton } from '@chakra-ui/react'
import { IconPlayerStop, IconVolume } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { errorMessage } from '#contract/errors.ts'
import { notify } from '../../state/notify.ts'
import { type AskForSound, voice } from './voice.ts'

interface SpeakButtonProps {
  messageId: string
  ask: AskForSound
}

/** Plays an answer, and stops it. */
export default function SpeakButton({ messageId, ask }: SpeakButtonProps) {
  const isPlaying = useSyncExternalStore(voice.subscribe, () => voice.speaking === messageId)
  const play = () => voice.speak(messageId, ask).catch((error) => notify.error(errorMessage(error)))
  const label = isPlaying ? 'Stop listening' : 'Listen to answer'
  return (
    <IconButton
      size="2xs"
      variant="ghost"
      aria-label={label}
      title={label}
      onClick={() => (isPlaying ? voice.stop() : void play())}
    >
      {isPlaying ? <IconPlayerStop size={14} /> : <IconVolume size={14} />}
    </IconButton>
  )
}
