/** The state of a chat with a flow: sends messages, follows runs and restores them after a reload. */
import { proxy } from 'valtio'
import type { HumanAnswer, RunEvent } from '#contract/runs/events.ts'
import type { Upload } from '#contract/uploads.ts'
import { ApiError } from '../api/client.ts'
import { followAnswer, followRun } from './approvals/answer-run.ts'
import { type ChatServer, memberServer } from './chat-server.ts'
import type { Lead, StoredChat } from './chat-storage.ts'
import { applyEvent, decidedNow, emptyAnswer, type Opinion, requestedBy, sentFiles, type Turn } from './conversation.ts'
import type { AskForSound } from './speech/voice.ts'

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
  /** Answers a waiting run. Returns `conflict` when it was already answered. Rejects when the server rejects the answer. */
  answer(turn: Turn, given: HumanAnswer, onEvent: OnEvent): Promise<{ conflict?: string }>
  /** Reloads the conversation when a waiting question was answered elsewhere. */
  refresh(): Promise<void>
  stop(): Promise<void>
  retry(turn: Turn, onEvent: OnEvent): Promise<void>
  speak: AskForSound
  /** Saves the rating of an answer. Rejects when it could not be saved. */
  rate(turn: Turn, opinion: Opinion): Promise<void>
  clear(): Promise<void>
  /** Begins a new session. The messages of this one are kept. */
  startNew(): void
  /** Stops following. The run continues. */
  leave(): void
  chatId(): string
  /** Who the caller said to be, if the flow asked. */
  lead(): Lead | undefined
  keepLead(lead: Lead): void
}

const MIN_POLL_MS = 1000
const MAX_POLL_MS = 10_000
/** A stream that ends may have been cut off. */
const AFTER_STREAM_MS = 100

/** @param flow its `id` is empty until it is stored, which it must be before the first message */
export function openChat(flow: { id: string }, server: ChatServer = memberServer(flow)): Chat {
  const state = proxy<ChatState>({ turns: [], running: false, loading: flow.id !== '' })
  let stored: StoredChat = server.load()
  let controller = new AbortController()
  /** Questions wait for the history, so that they are appended to it. */
  let history: Promise<unknown> = Promise.resolve()

  const fetchTurns = () => server.turnsOf(stored)

  const find = (id: string) => state.turns.find((turn) => turn.id === id)
  const isAnswering = (turns: readonly Turn[]) => turns.some(({ answer }) => answer.state === 'running')

  async function load() {
    controller = new AbortController()
    if (flow.id === '') return
    const { signal } = controller
    state.loading = true
    state.loadError = undefined
    try {
      const reading = fetchTurns()
      history = reading.catch(() => {})
      state.turns = await reading
      if (!isAnswering(state.turns)) return
      state.loading = false
      state.running = true
      await followUntilStored(signal)
      state.running = false
    } catch (error) {
      state.loadError = messageOf(error)
    } finally {
      state.loading = false
    }
  }

  /** Reads along with a run whose stream was lost, or polls when that is not possible, until its answer is stored. */
  async function followUntilStored(signal: AbortSignal) {
    for (let wait = MIN_POLL_MS; ; wait = Math.min(wait * 1.5, MAX_POLL_MS)) {
      const wasFollowed = await server.follow(state.turns, signal).catch(() => false)
      if (signal.aborted) return
      await pause(wasFollowed ? AFTER_STREAM_MS : wait, signal)
      if (signal.aborted) return
      const turns = await fetchTurns().catch(ignoreOutage)
      if (!turns || isAnswering(turns)) continue
      state.turns = turns
      return
    }
  }

  async function send(message: Message, onEvent: OnEvent) {
    await history
    if (state.running) return
    const body = { ...message, ...leadOf(stored), chatId: stored.chatId, streaming: true }
    const turn = { ...newTurn(shown(message), message.form), files: sentFiles(message.uploads) }
    try {
      await runTurn(turn, async (signal) => {
        await followRun(await server.ask(body, signal), handleEvent(turn.id, onEvent))
      })
    } catch {
      // The turn shows the error and a retry button.
    }
  }

  async function answer({ id }: Turn, given: HumanAnswer, onEvent: OnEvent) {
    const asking = find(id)?.answer
    const { action, executionId } = asking ?? {}
    if (state.running || !asking || !action || !executionId) return {}
    const label = given.type === 'proceed' ? action.mapping.approve : action.mapping.reject
    const decision = decidedNow(action, given, new Date())
    const turn = { ...newTurn(given.feedback ?? label), decision }
    const humanInput = { executionId, actionId: action.id, ...given }
    const body = { humanInput, chatId: stored.chatId, streaming: true }
    let outcome: { conflict?: string } = {}
    Object.assign(asking, { state: 'done', requested: requestedBy(decision) })
    try {
      await runTurn(turn, async (signal) => {
        outcome = await followAnswer(server.ask(body, signal), handleEvent(turn.id, onEvent))
        if (outcome.conflict) state.turns = await fetchTurns()
      })
    } catch (error) {
      state.turns = state.turns.filter((other) => other.id !== turn.id)
      Object.assign(asking, { state: 'waiting', requested: undefined })
      throw error
    }
    return outcome
  }

  /** Appends a turn and follows its run to the end, by polling when the stream breaks. */
  async function runTurn(turn: Turn, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = controller
    state.turns.push(turn)
    state.running = true
    server.save(stored, state.turns)
    try {
      await run(signal)
      if (isAnswering(state.turns)) await followUntilStored(signal)
    } catch (error) {
      if (signal.aborted) return
      const failed = find(turn.id)?.answer
      if (failed) Object.assign(failed, { state: 'failed', error: messageOf(error) })
      throw error
    } finally {
      if (!signal.aborted) state.running = false
      server.save(stored, state.turns)
    }
  }

  const handleEvent = (id: string, onEvent: OnEvent) => (event: RunEvent) => {
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

  async function retry(turn: Turn, onEvent: OnEvent) {
    state.turns = state.turns.filter((other) => other.id !== turn.id)
    const uploads = turn.files?.map(({ upload }) => ({ ...upload })) ?? []
    const asked = turn.form ? { form: turn.form } : { question: turn.question }
    await send({ ...asked, ...(uploads.length > 0 && { uploads }) }, onEvent)
  }

  async function rate({ id }: Turn, opinion: Opinion) {
    const { messageId } = find(id)?.answer ?? {}
    if (!messageId) return
    const { rating, content } = await server.rate({ chatId: stored.chatId, messageId, ...opinion })
    const rated = find(id)?.answer
    if (rated) rated.opinion = { rating, content }
    server.save(stored, state.turns)
  }

  async function clear() {
    await server.clear(stored.chatId)
    startNew()
  }

  function startNew() {
    if (state.running) return
    stored = { chatId: crypto.randomUUID(), lead: stored.lead }
    state.turns = []
    server.save(stored, state.turns)
  }

  function keepLead(lead: Lead) {
    stored = { ...stored, lead }
    server.save(stored, state.turns)
  }

  const stop = async () => void (await server.stop(stored.chatId))
  const leave = () => controller.abort()
  return {
    ...{ state, load, startNew, send, answer, refresh, stop, retry, rate, clear, leave, keepLead },
    speak: (chatMessageId, signal) => server.speak({ chatId: stored.chatId, chatMessageId }, signal),
    ...{ chatId: () => stored.chatId, lead: () => stored.lead },
  }
}

const leadOf = ({ lead }: StoredChat) => (lead?.email ? { leadEmail: lead.email } : {})

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

/** Ignores network errors and 5xx responses, since the run resumes when the server is back. */
function ignoreOutage(error: unknown): undefined {
  if (!(error instanceof ApiError) || (error.status > 0 && error.status < 500)) throw error
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : 'Something went wrong. Try again.')

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
