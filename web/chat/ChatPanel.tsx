import { Button, Flex, Heading, IconButton, Text } from '@chakra-ui/react'
import { IconEraser, IconMessagePlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { FlowKind } from '#contract/flow/kinds/types.ts'
import type { HumanAnswer, RunEvent } from '#contract/runs/events.ts'
import { readStartTrigger } from '#contract/triggers/start.ts'
import { confirm } from '../state/confirm.ts'
import { notify } from '../state/notify.ts'
import { Composer } from './Composer.tsx'
import { type Chat, type Message, openChat } from './chat-store.ts'
import type { Turn } from './conversation.ts'
import { FormInput } from './FormInput.tsx'
import { MessageList } from './MessageList.tsx'
import { ListeningContext } from './speech/listening.ts'
import { useSpokenAnswers } from './speech/use-spoken-answers.ts'
import { voice } from './speech/voice.ts'
import { startForm } from './start-form.ts'
import { TriggerStart } from './TriggerStart.tsx'
import { useAllowedUploads } from './use-allowed-uploads.ts'

interface ChatPanelProps {
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
  /** Answers can be listened to. */
  speaks?: boolean
}

/** The chat with a flow. Restores the conversation and a running answer after a reload. */
export function ChatPanel(props: ChatPanelProps) {
  const { flowId, flow, beforeSend, onRunEvent, autoFocus, starters = [], speaks = false } = props
  const [called] = useState({ id: flowId ?? '' })
  const [chat] = useState(() => openChat(called))
  const { turns, running, loading, loadError } = useSnapshot(chat.state)
  const trigger = readStartTrigger(flow)
  const { panel, focusMessage } = useMessageFocus(autoFocus)
  const hear = useSpokenAnswers()
  const onEvent = (event: RunEvent) => {
    hear(event)
    onRunEvent(event)
  }
  useChat(chat, onEvent)
  const { isReady, send, retry, answer, clear } = chatActions({ chat, called, beforeSend, onEvent })

  return (
    <Flex ref={panel} direction="column" h="100%" minH="0" gap="3" p="3" as="section" aria-label="Chat">
      <ChatHeader
        canReset={!running && turns.length > 0}
        onNew={() => {
          voice.stop()
          chat.startNew()
          focusMessage()
        }}
        onClear={clear}
      />
      <ListeningContext value={speaks ? chat.speak : null}>
        <MessageList
          turns={turns as Turn[]}
          loading={loading}
          loadError={loadError}
          onReload={() => void chat.load()}
          empty={
            <Hint text={trigger ? 'Runs are listed under Executions.' : 'Send a message to run the current draft.'} />
          }
          starters={starters}
          onStart={(question) => void send({ question })}
          running={running}
          onRetry={retry}
          onAnswer={(turn, given) => void answer(turn, given).catch(report)}
          onRate={chat.rate}
        />
      </ListeningContext>
      {trigger ? (
        <TriggerStart flowId={flowId} start={trigger} beforeRun={isReady} />
      ) : (
        <MessageInput {...props} running={running} onSend={send} onStop={() => chat.stop().catch(report)} />
      )}
    </Flex>
  )
}

/** Restores the chat while it is shown. */
function useChat(chat: Chat, onEvent: (event: RunEvent) => void): void {
  const hear = useRef(onEvent)
  useEffect(() => {
    hear.current = onEvent
  })
  useEffect(() => {
    void chat.load((event) => hear.current(event))
    return () => chat.leave()
  }, [chat])
}

function useMessageFocus(autoFocus: boolean) {
  const panel = useRef<HTMLDivElement>(null)
  const focusMessage = () =>
    panel.current?.querySelector<HTMLElement>('form :is(input, select, textarea), textarea')?.focus()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the chat opens
  useEffect(() => {
    if (autoFocus) focusMessage()
  }, [])
  return { panel, focusMessage }
}

interface MessageInputProps extends Pick<ChatPanelProps, 'flowId' | 'flow' | 'kind'> {
  running: boolean
  onSend: (message: Message) => Promise<void>
  onStop: () => void
}

/** The form that the flow starts with, or the field for a message. */
function MessageInput({ flowId, flow, kind, running, onSend, onStop }: MessageInputProps) {
  const supports = useAllowedUploads(flowId, flow)
  const form = startForm(flow, kind)
  if (!form) {
    return (
      <Composer
        running={running}
        supports={supports}
        onSend={(question, attachments) => onSend({ question, uploads: attachments.map(({ upload }) => upload) })}
        onStop={onStop}
      />
    )
  }
  return (
    <>
      <FormInput form={form} disabled={running} onSend={(values) => onSend({ form: values })} />
      {running && (
        <Button variant="surface" onClick={onStop}>
          Stop run
        </Button>
      )}
    </>
  )
}

const report = (error: unknown) =>
  notify.error(error instanceof Error ? error.message : 'Something went wrong. Try again.')

interface ChatActions {
  chat: Chat
  /** Filled in when the flow is stored. */
  called: { id: string }
  beforeSend: ChatPanelProps['beforeSend']
  onEvent: (event: RunEvent) => void
}

/** Returns the actions of a chat. */
function chatActions({ chat, called, beforeSend, onEvent }: ChatActions) {
  const isReady = async (message?: Message) => {
    const id = await beforeSend(message)
    if (id !== null) called.id = id
    return id !== null
  }
  const send = async (message: Message) => {
    if (await isReady(message)) await chat.send(message, onEvent)
  }
  const retry = async (turn: Turn) => {
    if (await isReady()) await chat.retry(turn, onEvent)
  }
  const answer = async (turn: Turn, given: HumanAnswer) => {
    const { conflict } = await chat.answer(turn, given, onEvent)
    if (conflict) notify.info(conflict)
  }
  const clear = async () => {
    const sure = await confirm({
      title: 'Clear this chat?',
      description: 'This deletes all messages. Executions are kept.',
      confirmButtonName: 'Clear chat',
      cancelButtonName: 'Cancel',
    })
    if (sure) await chat.clear().catch(report)
  }
  return { isReady, send, retry, answer, clear }
}

function Hint({ text }: { text: string }) {
  return (
    <Text color="fg.muted" textAlign="center">
      {text}
    </Text>
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
