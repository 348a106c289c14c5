import { Button, Field, Flex, IconButton, Text, Textarea } from '@chakra-ui/react'
import { IconThumbDown, IconThumbDownFilled, IconThumbUp, IconThumbUpFilled } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { MAX_COMMENT_CHARACTERS } from '#contract/feedback.ts'
import { notify } from '../state/notify.ts'
import type { Opinion } from './conversation.ts'

interface RatingProps {
  opinion: Opinion | undefined
  /** Rejects when it could not be kept. */
  onRate: (opinion: Opinion) => Promise<void>
}

/** What a person thinks of an answer: thumbs up or down, and for a bad one, if they like, what was wrong. */
export function Rating({ opinion, onRate }: RatingProps) {
  const [commenting, setCommenting] = useState(false)
  const [busy, setBusy] = useState(false)
  const bad = useRef<HTMLButtonElement>(null)
  const rating = opinion?.rating
  const isGood = rating === 'THUMBS_UP'
  const isBad = rating === 'THUMBS_DOWN'

  const rate = async (next: Opinion): Promise<boolean> => {
    setBusy(true)
    try {
      await onRate(next)
      return true
    } catch (thrown) {
      notify.error(`Your rating was not saved: ${(thrown as Error).message}`)
      return false
    } finally {
      setBusy(false)
    }
  }
  const praise = () => {
    setCommenting(false)
    if (!isGood) void rate({ rating: 'THUMBS_UP', content: null })
  }
  const blame = async () => {
    if (isBad || (await rate({ rating: 'THUMBS_DOWN', content: null }))) setCommenting(true)
  }
  const close = () => {
    setCommenting(false)
    bad.current?.focus()
  }
  const comment = async (content: string) => {
    if (!(await rate({ rating: 'THUMBS_DOWN', content }))) return
    notify.success('Saved your comment')
    close()
  }
  return (
    <>
      <IconButton
        size="2xs"
        variant="ghost"
        aria-label="Good answer"
        title="Good answer"
        aria-pressed={isGood}
        aria-disabled={busy}
        onClick={() => !busy && praise()}
      >
        {isGood ? <IconThumbUpFilled size={14} /> : <IconThumbUp size={14} />}
      </IconButton>
      <IconButton
        ref={bad}
        size="2xs"
        variant="ghost"
        aria-label="Bad answer"
        title="Bad answer"
        aria-pressed={isBad}
        aria-disabled={busy}
        onClick={() => !busy && void blame()}
      >
        {isBad ? <IconThumbDownFilled size={14} /> : <IconThumbDown size={14} />}
      </IconButton>
      {isBad && commenting && (
        <Comment comment={opinion?.content ?? ''} busy={busy} onSend={comment} onCancel={close} />
      )}
      {isBad && !commenting && opinion?.content && (
        <Text order="1" w="full" overflowWrap="anywhere" whiteSpace="pre-wrap">
          Your comment: {opinion.content}
        </Text>
      )}
    </>
  )
}

interface CommentProps {
  comment: string
  busy: boolean
  onSend: (comment: string) => void
  onCancel: () => void
}

function Comment({ comment, busy, onSend, onCancel }: CommentProps) {
  const [text, setText] = useState(comment)
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => box.current?.focus(), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onCancel()
  }
  return (
    <Flex order="1" w="full" direction="column" gap="2" onKeyDown={onKeyDown}>
      <Field.Root>
        <Field.Label>What was wrong? (optional)</Field.Label>
        <Textarea
          ref={box}
          size="sm"
          rows={2}
          maxLength={MAX_COMMENT_CHARACTERS}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field.Root>
      <Flex gap="2" justify="end">
        <Button size="xs" variant="outline" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="xs" colorPalette="accent" loading={busy} loadingText="Save" onClick={() => onSend(text.trim())}>
          Save
        </Button>
      </Flex>
    </Flex>
  )
}
