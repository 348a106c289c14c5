import { Button, Field, Flex, IconButton, Text, Textarea } from '@chakra-ui/react'
import { IconThumbDown, IconThumbDownFilled, IconThumbUp, IconThumbUpFilled } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { MAX_COMMENT_CHARACTERS } from '#contract/runs/conversation-kinds.ts'
import { notify } from '../state/notify.ts'
import type { Opinion } from './conversation.ts'

interface RatingProps {
  opinion: Opinion | undefined
  /** Rejects when the rating could not be saved. */
  onRate: (opinion: Opinion) => Promise<void>
}

/** Thumbs up or down for an answer, with an optional comment on a bad one. */
export function Rating({ opinion, onRate }: RatingProps) {
  const [commenting, setCommenting] = useState(false)
  const [busy, setBusy] = useState(false)
  const badButton = useRef<HTMLButtonElement>(null)
  const rating = opinion?.rating
  const isGood = rating === 'THUMBS_UP'
  const isBad = rating === 'THUMBS_DOWN'

  const rate = async (next: Opinion): Promise<boolean> => {
    setBusy(true)
    try {
      await onRate(next)
      return true
    } catch (error) {
      notify.error(`Couldn’t save your rating: ${(error as Error).message}`)
      return false
    } finally {
      setBusy(false)
    }
  }
  const rateGood = () => {
    setCommenting(false)
    if (!isGood) void rate({ rating: 'THUMBS_UP', content: null })
  }
  const rateBad = async () => {
    if (isBad || (await rate({ rating: 'THUMBS_DOWN', content: null }))) setCommenting(true)
  }
  const close = () => {
    setCommenting(false)
    badButton.current?.focus()
  }
  const comment = async (content: string) => {
    if (!(await rate({ rating: 'THUMBS_DOWN', content }))) return
    notify.success('Comment saved')
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
        onClick={() => !busy && rateGood()}
      >
        {isGood ? <IconThumbUpFilled size={14} /> : <IconThumbUp size={14} />}
      </IconButton>
      <IconButton
        ref={badButton}
        size="2xs"
        variant="ghost"
        aria-label="Bad answer"
        title="Bad answer"
        aria-pressed={isBad}
        aria-disabled={busy}
        onClick={() => !busy && void rateBad()}
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
