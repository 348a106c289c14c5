/** The state of a chat with a flow: sends messages, follows runs and restores them after a reload. */
import { proxy } from 'valtio'
import type { Upload } from '#contract/predictions/uploads.ts'
import type { HumanAnswer, RunEvent } from '#contract/runs/events.ts'
import { ApiError } from '../api/client.ts'
import { followAnswer, followRun } from './approvals/answer-run.ts'
import { followWaiting, pause } from './approvals/follow-waiting.ts'
import { type ChatServer, memberServer } from './chat-server.ts'
import type { Lead, StoredChat } from './chat-storage.ts'
import {
  applyEvent,
  continuing,
  decidedNow,
  emptyAnswer,
  goneOn,
  NO_STEPS,
  type Opinion,
  requestedBy,
  sentFiles,
  type Turn,
  waitingIn,
} from './conversation.ts'
import type { AskForSound } from './speech/voice.ts'

export interface Message {
  question?: string
  form?: Record<string, unknown>
  uploads?: Upload[]
}

interface ChatState {
  turns: Turn[]
  running: boolean
  loading: boolean
  loadError?: string
}

type OnEvent = (event: RunEvent) => void

export interface Chat {
  state: ChatState
  /** @param onEvent hears the rest of a run that others answer */
  load(onEvent?: OnEvent): Promise<void>
  send(message: Message, onEvent: OnEvent): Promise<void>
  /** Answers a waiting run. Returns `conflict` when it was already answered. Rejects when the server rejects the answer. */
  answer(turn: Turn, given: HumanAnswer, onEvent: OnEvent): Promise<{ conflict?: string }>
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
  /** Contact details of the caller, if the flow asked for them. */
  lead(): Lead | undefined
  keepLead(lead: Lead): void
}

const MIN_POLL_MS = 1000
const MAX_POLL_MS = 10_000
/** A stream that ends may have been cut off. */
const AFTER_STREAM_MS = 100

/** @param flow its `id` is empty until it is stored, which it must be before the first message */
export function openChat(flow: { id: string }, server: ChatServer = memberServer(flow)): Chat {
  const session: Session = {
    flow,
    server,
    state: proxy<ChatState>({ turns: [], running: false, loading: flow.id !== '' }),
    stored: server.load(),
    controller: new AbortController(),
    history: Promise.resolve(),
    onWaited: () => {},
  }
  return {
    state: session.state,
    load: async (onEvent = session.onWaited) => {
      session.onWaited = onEvent
      await load(session)
    },
    send: (message, onEvent) => send(session, message, onEvent),
    answer: (turn, given, onEvent) => answer(session, turn, { given, onEvent }),
    stop: async () => void (await server.stop(session.stored.chatId)),
    retry: (turn, onEvent) => retry(session, turn, onEvent),
    speak: (chatMessageId, signal) => server.speak({ chatId: session.stored.chatId, chatMessageId }, signal),
    rate: (turn, opinion) => rate(session, turn, opinion),
    clear: () => clear(session),
    startNew: () => startNew(session),
    leave: () => session.controller.abort(),
    chatId: () => session.stored.chatId,
    lead: () => session.stored.lead,
    keepLead: (lead) => keepLead(session, lead),
  }
}

/** State of an open chat. */
interface Session {
  flow: { id: string }
  server: ChatServer
  state: ChatState
  stored: StoredChat
  /** Aborted when the chat is left. */
  controller: AbortController
  /** Questions wait for the history, so that they are appended to it. */
  history: Promise<unknown>
  /** While the chat waits for others to answer a question. */
  waiting?: AbortController
  onWaited: OnEvent
}

const fetchTurns = ({ server, stored }: Session) => server.turnsOf(stored)
const findTurn = ({ state }: Session, id: string) => state.turns.find((turn) => turn.id === id)
const isAnswering = (turns: readonly Turn[]) => turns.some(({ answer }) => answer.state === 'running')
const save = ({ server, stored, state }: Session) => server.save(stored, state.turns)

async function load(session: Session): Promise<void> {
  session.controller = new AbortController()
  stopWaiting(session)
  if (session.flow.id === '') return
  const { state } = session
  const { signal } = session.controller
  state.loading = true
  state.loadError = undefined
  try {
    const reading = fetchTurns(session)
    session.history = reading.catch(() => {})
    state.turns = await reading
    if (isAnswering(state.turns)) {
      state.loading = false
      state.running = true
      await followUntilStored(session, signal)
      state.running = false
    }
    if (!signal.aborted) waitForOthers(session)
  } catch (error) {
    state.loadError = messageOf(error)
  } finally {
    state.loading = false
  }
}

/** Reads along with a run whose stream was lost, or polls when that is not possible, until its answer is stored. */
async function followUntilStored(session: Session, signal: AbortSignal): Promise<void> {
  const { server, state } = session
  for (let wait = MIN_POLL_MS; ; wait = Math.min(wait * 1.5, MAX_POLL_MS)) {
    const wasFollowed = await server.follow(state.turns, signal).catch(() => false)
    if (signal.aborted) return
    await pause(wasFollowed ? AFTER_STREAM_MS : wait, signal)
    if (signal.aborted) return
    const turns = await fetchTurns(session).catch(ignoreOutage)
    if (!turns || isAnswering(turns)) continue
    state.turns = turns
    return
  }
}

async function send(session: Session, message: Message, onEvent: OnEvent): Promise<void> {
  await session.history
  const { state, server, stored } = session
  if (state.running) return
  const body = { ...message, ...leadOf(stored), chatId: stored.chatId, streaming: true }
  const turn = { ...newTurn(questionText(message), message.form), files: sentFiles(message.uploads) }
  try {
    await runTurn(session, turn, async (signal) => {
      await followRun(await server.ask(body, signal), eventHandler(session, turn.id, onEvent))
    })
  } catch {
    // The turn shows the error and a retry button.
  }
}

async function answer(
  session: Session,
  { id }: Turn,
  { given, onEvent }: { given: HumanAnswer; onEvent: OnEvent },
): Promise<{ conflict?: string }> {
  const { state, server } = session
  const asking = findTurn(session, id)?.answer
  const { action, executionId } = asking ?? {}
  if (state.running || !asking || !action || !executionId) return {}
  const label = given.type === 'proceed' ? action.mapping.approve : action.mapping.reject
  const decision = decidedNow(action, given, new Date())
  const { steps, stepCount } = asking
  const turn = { ...continuing(newTurn(given.feedback ?? label), asking), decision }
  stopWaiting(session)
  const humanInput = { executionId, actionId: action.id, ...given }
  const body = { humanInput, chatId: session.stored.chatId, streaming: true }
  let outcome: { conflict?: string } = {}
  Object.assign(asking, { ...NO_STEPS, state: 'done', requested: requestedBy(decision) })
  try {
    await runTurn(session, turn, async (signal) => {
      outcome = await followAnswer(server.ask(body, signal), eventHandler(session, turn.id, onEvent))
      if (outcome.conflict) state.turns = await fetchTurns(session)
    })
  } catch (error) {
    state.turns = state.turns.filter((other) => other.id !== turn.id)
    Object.assign(asking, { steps, stepCount, state: 'waiting', requested: undefined })
    waitForOthers(session)
    throw error
  }
  return outcome
}

/** Appends a turn and follows its run to the end, by polling when the stream breaks. */
async function runTurn(session: Session, turn: Turn, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const { state } = session
  const { signal } = session.controller
  state.turns.push(turn)
  state.running = true
  save(session)
  try {
    await run(signal)
    if (isAnswering(state.turns)) await followUntilStored(session, signal)
  } catch (error) {
    if (signal.aborted) return
    const failed = findTurn(session, turn.id)?.answer
    if (failed) Object.assign(failed, { state: 'failed', error: messageOf(error) })
    throw error
  } finally {
    if (!signal.aborted) {
      state.running = false
      waitForOthers(session)
    }
    save(session)
  }
}

function stopWaiting(session: Session): void {
  session.waiting?.abort()
  session.waiting = undefined
}

/** Goes on in the chat when somebody answers its waiting question elsewhere: what follows is a turn without a question. */
function waitForOthers(session: Session): void {
  const { state, server, stored, controller } = session
  const asked = waitingIn(state.turns)
  if (session.waiting || !asked) return
  const { id: askingId, ...named } = asked
  const waiting = new AbortController()
  session.waiting = waiting
  const signal = AbortSignal.any([controller.signal, waiting.signal])
  const id = crypto.randomUUID()
  const hear = eventHandler(session, id, session.onWaited)
  const onEvent = (event: RunEvent, isFirst: boolean) => {
    if (isFirst) {
      state.turns = state.turns.filter((turn) => turn.id !== id)
      const asking = findTurn(session, askingId)
      const turn = { ...newTurn(''), id }
      state.turns.push(asking ? continuing(turn, asking.answer) : turn)
      if (asking) asking.answer = goneOn(asking.answer)
    }
    hear(event)
  }
  const open = () => server.wait({ ...named, chatId: stored.chatId }, signal)
  void followWaiting({ open, onEvent, signal }).then(async (wentOn) => {
    if (session.waiting === waiting) session.waiting = undefined
    if (!wentOn || signal.aborted) return
    save(session)
    const turns = server.keepsMessages && !state.running ? await fetchTurns(session).catch(ignoreOutage) : undefined
    if (signal.aborted) return
    if (turns) state.turns = turns
    waitForOthers(session)
  })
}

const eventHandler = (session: Session, id: string, onEvent: OnEvent) => (event: RunEvent) => {
  const turn = findTurn(session, id)
  if (turn) turn.answer = applyEvent(turn.answer, event)
  onEvent(event)
}

async function retry(session: Session, turn: Turn, onEvent: OnEvent): Promise<void> {
  session.state.turns = session.state.turns.filter((other) => other.id !== turn.id)
  const uploads = turn.files?.map(({ upload }) => ({ ...upload })) ?? []
  const asked = turn.form ? { form: turn.form } : { question: turn.question }
  await send(session, { ...asked, ...(uploads.length > 0 && { uploads }) }, onEvent)
}

async function rate(session: Session, { id }: Turn, opinion: Opinion): Promise<void> {
  const { messageId } = findTurn(session, id)?.answer ?? {}
  if (!messageId) return
  const { chatId } = session.stored
  const { rating, content } = await session.server.rate({ chatId, messageId, ...opinion })
  const rated = findTurn(session, id)?.answer
  if (rated) rated.opinion = { rating, content }
  save(session)
}

async function clear(session: Session): Promise<void> {
  await session.server.clear(session.stored.chatId)
  startNew(session)
}

function startNew(session: Session): void {
  if (session.state.running) return
  stopWaiting(session)
  session.stored = { chatId: crypto.randomUUID(), lead: session.stored.lead }
  session.state.turns = []
  save(session)
}

function keepLead(session: Session, lead: Lead): void {
  session.stored = { ...session.stored, lead }
  save(session)
}

const leadOf = ({ lead }: StoredChat) => (lead?.email ? { leadEmail: lead.email } : {})

const newTurn = (question: string, form?: Record<string, unknown>): Turn => ({
  id: crypto.randomUUID(),
  question,
  form,
  answer: emptyAnswer(),
})

const questionText = ({ question, form }: Message) =>
  question ??
  Object.entries(form ?? {})
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n')

/** Ignores network errors and 5xx responses, since the run resumes when the server is back. */
function ignoreOutage(error: unknown): undefined {
  if (!(error instanceof ApiError) || (error.status > 0 && error.status < 500)) throw error
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : 'Something went wrong. Try again.')
