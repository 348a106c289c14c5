import { Box, Button, Flex, Heading, IconButton, Skeleton, Stack, Text } from '@chakra-ui/react'
import { IconArrowDown, IconEraser, IconMessagePlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { FlowKind } from '#contract/flow/kinds/types.ts'
import type { HumanAnswer, RunEvent } from '#contract/runs/events.ts'
import { startTriggerOf } from '#contract/triggers/start.ts'
import { confirm } from '../state/confirm.ts'
import { notify } from '../state/notify.ts'
import { useKeptFocus } from '../ui/use-kept-focus.ts'
import { AnswerView } from './AnswerView.tsx'
import { Composer } from './Composer.tsx'
import { type Message, openChat } from './chat-store.ts'
import type { Opinion, Turn } from './conversation.ts'
import { FormInput } from './FormInput.tsx'
import { QuestionView } from './QuestionView.tsx'
import { startForm } from './start-form.ts'
import { TriggerStart } from './TriggerStart.tsx'
import { useAllowedUploads } from './use-allowed-uploads.ts'
import { useStickToEnd } from './use-stick-to-end.ts'

export interface ChatPanelProps {
  /** Null until the flow is stored. */
  flowId: string | null
  flow: FlowDocument
  kind: FlowKind
  /** Saves the draft before each run. Resolves with the flow's id, or null to cancel the message. */
  beforeSend: (message?: Message) => Promise<string | null>
  /** Receives every event of runs started here, so that the canvas can show progress. */
  onRunEvent: (event: RunEvent) => void
  /** Focuses the message field when the chat opens. */
  autoFocus: boolean
  /** Questions to begin with. */
  starters?: readonly string[]
}

/** The chat with a flow. Restores the conversation and a running answer after a reload. */
export function ChatPanel(props: ChatPanelProps) {
  const { flowId, flow, kind, beforeSend, onRunEvent, autoFocus, starters = [] } = props
  const [called] = useState({ id: flowId ?? '' })
  const [chat] = useState(() => openChat(called))
  const { turns, running, loading, loadError } = useSnapshot(chat.state)
  const form = startForm(flow, kind)
  const supports = useAllowedUploads(flowId, flow)
  const trigger = startTriggerOf(flow)
  const panel = useRef<HTMLDivElement>(null)

  const focusMessage = () =>
    panel.current?.querySelector<HTMLElement>('form :is(input, select, textarea), textarea')?.focus()

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the chat opens
  useEffect(() => {
    if (autoFocus) focusMessage()
  }, [])

  useEffect(() => {
    chat.load()
    const refresh = () => void chat.refresh().catch(() => {})
    window.addEventListener('focus', refresh)
    return () => {
      window.removeEventListener('focus', refresh)
      chat.leave()
    }
  }, [chat])

  const isReady = async (message?: Message) => {
    const id = await beforeSend(message)
    if (id !== null) called.id = id
    return id !== null
  }
  const send = async (message: Message) => {
    if (await isReady(message)) await chat.send(message, onRunEvent)
  }
  const retry = async (turn: Turn) => {
    if (await isReady()) await chat.retry(turn, onRunEvent)
  }
  const answer = async (turn: Turn, given: HumanAnswer) => {
    const { conflict } = await chat.answer(turn, given, onRunEvent)
    if (conflict) notify.info(conflict)
  }
  const report = (error: unknown) =>
    notify.error(error instanceof Error ? error.message : 'Something went wrong. Try again.')
  const clear = async () => {
    const sure = await confirm({
      title: 'Clear this chat?',
      description: 'This deletes all messages. Executions are kept.',
      confirmButtonName: 'Clear chat',
      cancelButtonName: 'Cancel',
    })
    if (sure) await chat.clear().catch(report)
  }

  return (
    <Flex ref={panel} direction="column" h="100%" minH="0" gap="3" p="3" as="section" aria-label="Chat">
      <ChatHeader
        canReset={!running && turns.length > 0}
        onNew={() => {
          chat.startNew()
          focusMessage()
        }}
        onClear={clear}
      />
      <MessageList
        turns={turns as Turn[]}
        loading={loading}
        loadError={loadError}
        onReload={chat.load}
        acceptsMessages={!trigger}
        starters={starters}
        onStart={(question) => void send({ question })}
        running={running}
        onRetry={retry}
        onAnswer={(turn, given) => void answer(turn, given).catch(report)}
        onRate={chat.rate}
      />
      {trigger ? (
        <TriggerStart flowId={flowId} start={trigger} beforeRun={isReady} />
      ) : form ? (
        <FormInput form={form} disabled={running} onSend={(values) => send({ form: values })} />
      ) : (
        <Composer
          running={running}
          supports={supports}
          onSend={(question, attachments) => send({ question, uploads: attachments.map(({ upload }) => upload) })}
          onStop={() => chat.stop().catch(report)}
        />
      )}
      {form && running && (
        <Button variant="surface" onClick={() => chat.stop().catch(report)}>
          Stop run
        </Button>
      )}
    </Flex>
  )
}

interface ChatHeaderProps {
  canReset: boolean
  onNew: () => void
  onClear: () => void
}

function ChatHeader({ canReset, onNew, onClear }: ChatHeaderProps) {
  return (
    <Flex align="center" gap="1">
      <Heading size="sm" as="h2" me="auto">
        Chat
      </Heading>
      <Button size="xs" variant="ghost" disabled={!canReset} onClick={onNew}>
        <IconMessagePlus size={16} aria-hidden /> New session
      </Button>
      <IconButton aria-label="Clear chat" size="sm" variant="ghost" disabled={!canReset} onClick={onClear}>
        <IconEraser size={18} />
      </IconButton>
    </Flex>
  )
}

interface MessageListProps {
  turns: readonly Turn[]
  loading: boolean
  loadError?: string
  onReload: () => void
  /** False when a trigger starts the flow. */
  acceptsMessages: boolean
  starters: readonly string[]
  onStart: (question: string) => void
  running: boolean
  onRetry: (turn: Turn) => void
  onAnswer: (turn: Turn, given: HumanAnswer) => void
  onRate: (turn: Turn, opinion: Opinion) => Promise<void>
}

function MessageList(props: MessageListProps) {
  const { turns, loading, loadError, onReload, acceptsMessages, starters, onStart } = props
  const { running, onRetry, onAnswer, onRate } = props
  const log = useRef<HTMLDivElement>(null)
  const last = turns.at(-1)
  const size = `${last?.answer.text.length} ${last?.answer.state}`
  const { isFollowing, showEnd } = useStickToEnd(log, { last: last?.id, size })
  useKeptFocus(log, turns.filter(({ answer }) => answer.state === 'waiting').length)
  return (
    <Box position="relative" flex="1" minH="0">
      <Box ref={log} h="full" overflowY="auto" role="log" aria-label="Messages" tabIndex={0}>
        {loading && <Skeleton h="16" borderRadius="xl" />}
        {loadError && (
          <Flex direction="column" gap="2" align="center" p="4">
            <Text>Couldn’t load the conversation: {loadError}</Text>
            <Button size="sm" variant="outline" onClick={onReload}>
              Try again
            </Button>
          </Flex>
        )}
        {!loading && !loadError && turns.length === 0 && (
          <Stack align="center" gap="3" mt="8">
            <Text color="fg.muted" textAlign="center">
              {acceptsMessages ? 'Send a message to run the current draft.' : 'Runs are listed under Executions.'}
            </Text>
            {starters.map((starter) => (
              <Button
                key={starter}
                size="sm"
                variant="outline"
                h="auto"
                py="2"
                whiteSpace="normal"
                onClick={() => onStart(starter)}
              >
                {starter}
              </Button>
            ))}
          </Stack>
        )}
        <Flex direction="column" gap="3">
          {turns.map((turn) => (
            <Flex key={turn.id} direction="column" gap="2">
              <QuestionView question={turn.question} files={turn.files} decision={turn.decision} />
              <AnswerView
                answer={turn.answer}
                busy={running}
                onRetry={() => onRetry(turn)}
                onAnswer={(given) => onAnswer(turn, given)}
                onRate={(opinion) => onRate(turn, opinion)}
              />
            </Flex>
          ))}
        </Flex>
      </Box>
      {!isFollowing && (
        <Button
          size="xs"
          variant="surface"
          position="absolute"
          bottom="2"
          left="50%"
          transform="translateX(-50%)"
          shadow="md"
          onClick={showEnd}
        >
          <IconArrowDown size={14} aria-hidden />
          Jump to latest
        </Button>
      )}
    </Box>
  )
}
