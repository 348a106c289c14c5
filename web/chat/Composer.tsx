import { Box, Flex, IconButton, Input, Text, Textarea } from '@chakra-ui/react'
import { IconPaperclip, IconPlayerStopFilled, IconSend2 } from '@tabler/icons-react'
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useRef, useState } from 'react'
import { AttachmentList } from './AttachmentList.tsx'
import { type Attachment, readAttachment, type UploadSupport } from './attachments.ts'

interface ComposerProps {
  running: boolean
  supports: UploadSupport
  onSend: (question: string, attachments: Attachment[]) => void
  onStop: () => void
  placeholder?: string
  maxCharacters?: number
  /** Shown when a question is too long. */
  tooLong?: string
}

/** The message field. Enter sends, Shift+Enter adds a line; files can be chosen, pasted or dropped. */
export function Composer(props: ComposerProps) {
  const { running, supports, onSend, onStop, placeholder = 'Ask something…', maxCharacters = Infinity } = props
  const { tooLong = `A question may have at most ${maxCharacters} characters.` } = props
  const [question, setQuestion] = useState('')
  const { attachments, problem, add, remove, clear } = useAttachments(supports)
  const text = useRef<HTMLTextAreaElement>(null)
  const isTooLong = question.length > maxCharacters
  const isEmpty = (question.trim() === '' && attachments.length === 0) || isTooLong
  const send = () => {
    if (running || isEmpty) return
    setQuestion('')
    clear()
    onSend(question, attachments)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return
    event.preventDefault()
    void add(event.clipboardData.files)
  }
  const onDrop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    void add(event.dataTransfer.files)
  }
  const onRemove = (id: string) => {
    remove(id)
    text.current?.focus()
  }
  return (
    <Flex direction="column" gap="2" onDrop={onDrop} onDragOver={(event) => event.preventDefault()}>
      <AttachmentList attachments={attachments} onRemove={onRemove} />
      <Box role="alert">
        {(problem || isTooLong) && (
          <Text color="fg.error" textStyle="sm" overflowWrap="anywhere">
            {problem || tooLong}
          </Text>
        )}
      </Box>
      <Flex gap="2" align="flex-end">
        <AttachButton onChoose={add} />
        <Textarea
          ref={text}
          aria-label="Question"
          placeholder={placeholder}
          autoresize
          maxH="10lh"
          rows={1}
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {running ? (
          <IconButton aria-label="Stop run" onClick={onStop} variant="surface">
            <IconPlayerStopFilled size={18} />
          </IconButton>
        ) : (
          <IconButton aria-label="Send" colorPalette="accent" onClick={send} disabled={isEmpty}>
            <IconSend2 size={18} />
          </IconButton>
        )}
      </Flex>
    </Flex>
  )
}

function AttachButton({ onChoose }: { onChoose: (files: FileList) => Promise<void> }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Input
        ref={input}
        type="file"
        multiple
        display="none"
        aria-label="Files to attach"
        onChange={async ({ currentTarget }) => {
          if (currentTarget.files) await onChoose(currentTarget.files)
          if (input.current) input.current.value = ''
        }}
      />
      <IconButton aria-label="Attach files" variant="ghost" onClick={() => input.current?.click()}>
        <IconPaperclip size={18} />
      </IconButton>
    </>
  )
}

/** Manages the files of the next question and reports why a file was rejected. */
function useAttachments(supports: UploadSupport) {
  const [attachments, setAttachments] = useState<Attachment[]>([])
  const [problem, setProblem] = useState<string>()
  const latest = useRef(attachments)
  const reading = useRef(Promise.resolve())
  const change = (next: Attachment[]) => {
    latest.current = next
    setAttachments(next)
  }
  const read = async (files: File[]) => {
    setProblem(undefined)
    for (const file of files) {
      try {
        const attachment = await readAttachment(file, { supports, others: latest.current })
        change([...latest.current, attachment])
      } catch (error) {
        setProblem((error as Error).message)
      }
    }
  }
  // Sequential, so that files dropped while others are being read are appended.
  const add = (files: FileList) => {
    const chosen = [...files]
    reading.current = reading.current.then(() => read(chosen))
    return reading.current
  }
  const remove = (id: string) => {
    setProblem(undefined)
    change(latest.current.filter((each) => each.id !== id))
  }
  const clear = () => {
    setProblem(undefined)
    change([])
  }
  return { attachments, problem, add, remove, clear }
}
