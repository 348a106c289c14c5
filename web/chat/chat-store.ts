/** One chat with one flow: sends questions and answers, follows their runs, and finds a run again after a reload. */
import { proxy } from 'valtio'
import type { HumanAnswer, RunEvent } from '#contract/events.ts'
import type { Feedback } from '#contract/feedback.ts'
import type { Upload } from '#contract/uploads.ts'
import { ApiError, api } from '../api/client.ts'
import { answerRun, followRun } from './answer-run.ts'
import { loadChat, type StoredChat, saveChat } from './chat-storage.ts'
import {
  applyEvent,
  emptyAnswer,
  type Opinion,
  type StoredMessage,
  sentFiles,
  type Turn,
  turnsOf,
} from './conversation.ts'

export interface Message {
  question?: string
  form?: Record<string, unknown>
  uploads?: Upload[]
}

export interface ChatState {
  turns: Turn[]
  running: boolean
  loading: boolean
  loadError?: string
}

type OnEvent = (event: RunEvent) => void

export interface Chat {
  state: ChatState
  load(): Promise<void>
  send(message: Message, onEvent: OnEvent): Promise<void>
  /** Answers what a turn's run asks. `late`: somebody was faster, and the chat shows what came of it. Rejects when the answer was refused. */
  answer(turn: Turn, given: HumanAnswer, onEvent: OnEvent): Promise<{ late?: string }>
  /** Shows what became of a question that was asked here, in case it was answered elsewhere. */
  refresh(): Promise<void>
  stop(): Promise<void>
  retry(turn: Turn, onEvent: OnEvent): Promise<void>
  /** Keeps what the person thinks of an answer. Rejects when it could not be kept. */
  rate(turn: Turn, opinion: Opinion): Promise<void>
  clear(): Promise<void>
  /** Stops following; the run itself goes on. */
  leave(): void
}

const FIRST_LOOK_MS = 1000
const SLOWEST_LOOK_MS = 10_000

export function openChat(flowId: string): Chat {
  const state = proxy<ChatState>({ turns: [], running: false, loading: true })
  let stored: StoredChat = loadChat(flowId)
  let left = new AbortController()
  /** A question that is sent before the history has come stands below it. */
  let history: Promise<unknown> = Promise.resolve()

  const fetchTurns = async () =>
    turnsOf(
      await api.get<StoredMessage[]>(`/internal-chatmessage/${flowId}`, {
        chatId: stored.chatId,
        order: 'ASC',
        feedback: true,
      }),
    )

  const find = (id: string) => state.turns.find((turn) => turn.id === id)
  const isAnswering = (turns: readonly Turn[]) => turns.some(({ answer }) => answer.state === 'running')

  async function load() {
    left = new AbortController()
    const { signal } = left
    state.loading = true
    state.loadError = undefined
    try {
      const reading = fetchTurns()
      history = reading.catch(() => {})
      state.turns = await reading
      if (!isAnswering(state.turns)) return
      state.loading = false
      state.running = true
      await untilStored(signal)
      state.running = false
    } catch (thrown) {
      state.loadError = messageOf(thrown)
    } finally {
      state.loading = false
    }
  }

  /** Waits for a run that we cannot hear, then shows what it left. */
  async function untilStored(signal: AbortSignal) {
    for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 1.5, SLOWEST_LOOK_MS)) {
      await pause(wait, signal)
      if (signal.aborted) return
      const turns = await fetchTurns().catch(unlessAway)
      if (!turns || isAnswering(turns)) continue
      state.turns = turns
      return
    }
  }

  async function send(message: Message, onEvent: OnEvent) {
    await history
    if (state.running) return
    const body = { ...message, chatId: stored.chatId, streaming: true }
    const turn = { ...newTurn(shown(message), message.form), files: sentFiles(message.uploads) }
    try {
      await follow(turn, async (signal) => {
        const response = await api.stream(`/internal-prediction/${flowId}`, body, signal)
        await followRun(response, hear(turn.id, onEvent))
      })
    } catch {
      // The turn says why, and can be sent again.
    }
  }

  async function answer({ id }: Turn, given: HumanAnswer, onEvent: OnEvent) {
    const asking = find(id)?.answer
    const { action, executionId } = asking ?? {}
    if (state.running || !asking || !action || !executionId) return {}
    const label = given.type === 'proceed' ? action.mapping.approve : action.mapping.reject
    const turn = newTurn(given.feedback ?? label)
    const request = { flowId, chatId: stored.chatId, executionId, actionId: action.id, ...given }
    let outcome: { late?: string } = {}
    asking.state = 'done'
    try {
      await follow(turn, async (signal) => {
        outcome = await answerRun(request, hear(turn.id, onEvent), signal)
        if (outcome.late) state.turns = await fetchTurns()
      })
    } catch (thrown) {
      state.turns = state.turns.filter((other) => other.id !== turn.id)
      asking.state = 'waiting'
      throw thrown
    }
    return outcome
  }

  /** One more turn, and its run to the end: as it comes, and by what is stored when it can be heard no more. */
  async function follow(turn: Turn, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = left
    state.turns.push(turn)
    state.running = true
    saveChat(flowId, stored)
    try {
      await run(signal)
      if (isAnswering(state.turns)) await untilStored(signal)
    } catch (thrown) {
      if (signal.aborted) return
      const failed = find(turn.id)?.answer
      if (failed) Object.assign(failed, { state: 'failed', error: messageOf(thrown) })
      throw thrown
    } finally {
      if (!signal.aborted) state.running = false
    }
  }

  const hear = (id: string, onEvent: OnEvent) => (event: RunEvent) => {
    const turn = find(id)
    if (turn) turn.answer = applyEvent(turn.answer, event)
    onEvent(event)
  }

  async function refresh() {
    if (state.running || !state.turns.some(({ answer }) => answer.state === 'waiting')) return
    const turns = await fetchTurns()
    const states = (all: readonly Turn[]) => all.map((turn) => turn.answer.state).join()
    if (!state.running && states(turns) !== states(state.turns)) await load()
  }

  async function stop() {
    await api.put(`/chatmessage/abort/${flowId}/${stored.chatId}`)
  }

  async function retry(turn: Turn, onEvent: OnEvent) {
    state.turns = state.turns.filter((other) => other.id !== turn.id)
    const uploads = turn.files?.map(({ upload }) => ({ ...upload })) ?? []
    const asked = turn.form ? { form: turn.form } : { question: turn.question }
    await send({ ...asked, ...(uploads.length > 0 && { uploads }) }, onEvent)
  }

  async function rate({ id }: Turn, opinion: Opinion) {
    const { messageId } = find(id)?.answer ?? {}
    if (!messageId) return
    const given = { chatflowid: flowId, chatId: stored.chatId, messageId, ...opinion }
    const { rating, content } = await api.post<Feedback>('/feedback', given)
    const rated = find(id)?.answer
    if (rated) rated.opinion = { rating, content }
  }

  async function clear() {
    await api.delete(`/chatmessage/${flowId}`, { chatId: stored.chatId })
    stored = { chatId: crypto.randomUUID(), lead: stored.lead }
    saveChat(flowId, stored)
    state.turns = []
  }

  return { state, load, send, answer, refresh, stop, retry, rate, clear, leave: () => left.abort() }
}

const newTurn = (question: string, form?: Record<string, unknown>): Turn => ({
  id: crypto.randomUUID(),
  question,
  form,
  answer: emptyAnswer(),
})

const shown = ({ question, form }: Message) =>
  question ??
  Object.entries(form ?? {})
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n')

/** While the server starts again there is nothing to see; the run is taken up when it is back. */
function unlessAway(thrown: unknown): undefined {
  if (!(thrown instanceof ApiError) || (thrown.status > 0 && thrown.status < 500)) throw thrown
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
