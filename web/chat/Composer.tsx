import { Flex, IconButton, Textarea } from '@chakra-ui/react'
import { IconPlayerStopFilled, IconSend2 } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'

export interface ComposerProps {
  running: boolean
  onSend: (question: string) => void
  onStop: () => void
}

/** The question box: Enter sends, Shift+Enter breaks the line; while a run goes on its button stops it. */
export function Composer({ running, onSend, onStop }: ComposerProps) {
  const [question, setQuestion] = useState('')
  const send = () => {
    if (running || question.trim() === '') return
    setQuestion('')
    onSend(question)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <Flex gap="2" align="flex-end">
      <Textarea
        aria-label="Question"
        placeholder="Ask something…"
        autoresize
        maxH="10lh"
        rows={1}
        value={question}
        onChange={(event) => setQuestion(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {running ? (
        <IconButton aria-label="Stop the run" onClick={onStop} variant="surface">
          <IconPlayerStopFilled size={18} />
        </IconButton>
      ) : (
        <IconButton aria-label="Send" colorPalette="accent" onClick={send} disabled={question.trim() === ''}>
          <IconSend2 size={18} />
        </IconButton>
      )}
    </Flex>
  )
}
