/** One chat with one flow: sends questions, follows their runs, and finds a run again after a reload. */
import { proxy } from 'valtio'
import type { RunEvent } from '#contract/events.ts'
import { api } from '../api/client.ts'
import { loadChat, type StoredChat, saveChat } from './chat-storage.ts'
import { applyEvent, emptyAnswer, type StoredMessage, type Turn, turnsOf } from './conversation.ts'
import { readRunEvents } from './events.ts'

export interface Message {
  question?: string
  form?: Record<string, unknown>
}

export interface ChatState {
  turns: Turn[]
  running: boolean
  loading: boolean
  loadError?: string
}

export interface Chat {
  state: ChatState
  load(): Promise<void>
  send(message: Message, onEvent: (event: RunEvent) => void): Promise<void>
  stop(): Promise<void>
  retry(turn: Turn, onEvent: (event: RunEvent) => void): Promise<void>
  clear(): Promise<void>
  /** Stops following; the run itself goes on. */
  leave(): void
}

const POLL_MS = 1500

export function openChat(flowId: string): Chat {
  const state = proxy<ChatState>({ turns: [], running: false, loading: true })
  let stored: StoredChat = loadChat(flowId)
  let left = new AbortController()

  const remember = (change: Partial<StoredChat>) => {
    stored = { ...stored, ...change }
    saveChat(flowId, stored)
  }

  const fetchTurns = async () =>
    turnsOf(await api.get<StoredMessage[]>(`/internal-chatmessage/${flowId}`, { chatId: stored.chatId, order: 'ASC' }))

  const change = (id: string, update: (turn: Turn) => void) => {
    const turn = state.turns.find((candidate) => candidate.id === id)
    if (turn) update(turn)
  }

  async function load() {
    left = new AbortController()
    state.loading = true
    state.loadError = undefined
    try {
      state.turns = await fetchTurns()
      if (stored.pending) await followPending(left.signal)
    } catch (thrown) {
      state.loadError = messageOf(thrown)
    } finally {
      state.loading = false
    }
  }

  /** After a reload: shows the question whose run goes on, and its answer as soon as it is stored. */
  async function followPending(signal: AbortSignal) {
    const question = stored.pending?.question ?? ''
    if (await isRunning()) {
      state.turns.push({ id: crypto.randomUUID(), question, answer: emptyAnswer() })
      state.running = true
      state.loading = false
      await untilStored(signal)
      state.running = false
    }
    if (!signal.aborted) remember({ pending: undefined })
  }

  /** Waits for a run that we cannot hear, then shows what it left. */
  async function untilStored(signal: AbortSignal) {
    while (!signal.aborted && (await isRunning())) await pause(POLL_MS, signal)
    if (!signal.aborted) state.turns = await fetchTurns()
  }

  async function isRunning() {
    const { data } = await api.get<{ data: { state: string }[] }>('/executions', {
      agentflowId: flowId,
      sessionId: stored.chatId,
      page: 1,
      limit: 1,
    })
    return data[0]?.state === 'INPROGRESS'
  }

  async function send(message: Message, onEvent: (event: RunEvent) => void) {
    if (state.running) return
    const turn: Turn = { id: crypto.randomUUID(), question: shown(message), form: message.form, answer: emptyAnswer() }
    state.turns.push(turn)
    state.running = true
    remember({ pending: { question: turn.question, form: message.form } })
    const { signal } = left
    try {
      const body = { ...message, chatId: stored.chatId, streaming: true }
      const response = await api.stream(`/internal-prediction/${flowId}`, body, signal)
      await follow(response, turn.id, onEvent)
      const answered = state.turns.find(({ id }) => id === turn.id)
      if (answered?.answer.state === 'running') await untilStored(signal)
    } catch (thrown) {
      change(turn.id, ({ answer }) => fail(answer, messageOf(thrown)))
    }
    if (signal.aborted) return
    state.running = false
    remember({ pending: undefined })
  }

  async function follow(response: Response, turnId: string, onEvent: (event: RunEvent) => void) {
    try {
      for await (const event of readRunEvents(response)) {
        change(turnId, (turn) => {
          turn.answer = applyEvent(turn.answer, event)
        })
        onEvent(event)
      }
    } catch {
      // The connection broke; the run goes on and is found again by its stored answer.
    }
  }

  async function stop() {
    await api.put(`/chatmessage/abort/${flowId}/${stored.chatId}`)
  }

  async function retry(turn: Turn, onEvent: (event: RunEvent) => void) {
    state.turns = state.turns.filter((other) => other.id !== turn.id)
    await send(turn.form ? { form: turn.form } : { question: turn.question }, onEvent)
  }

  async function clear() {
    await api.delete(`/chatmessage/${flowId}`, { chatId: stored.chatId })
    stored = { chatId: crypto.randomUUID(), lead: stored.lead }
    saveChat(flowId, stored)
    state.turns = []
  }

  return { state, load, send, stop, retry, clear, leave: () => left.abort() }
}

const shown = ({ question, form }: Message) =>
  question ??
  Object.entries(form ?? {})
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n')

function fail(answer: Turn['answer'], error: string) {
  answer.state = 'failed'
  answer.error = error
}

const messageOf = (thrown: unknown) => (thrown instanceof Error ? thrown.message : 'Something went wrong.')

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
