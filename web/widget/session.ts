/** The state of one chat in the widget, and what a visitor can do with it. */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { Upload } from '#contract/predictions/uploads.ts'
import type { HumanAnswer, RunEvent } from '#contract/runs/events.ts'
import { followWaiting } from '../chat/approvals/follow-waiting.ts'
import { applyEvent, emptyAnswer, goneOn, type Opinion, sentFiles, type Turn, waitingIn } from '../chat/conversation.ts'
import { readRunEvents } from '../chat/events.ts'
import { hearAnswers, voice } from '../chat/speech/voice.ts'
import { CallError, type Lead, openApi, type Question, type WidgetApi } from './api.ts'
import type { Options } from './options.ts'
import { readSettings, type Settings } from './settings.ts'
import { loadChat, newChat, type StoredChat, saveChat } from './stored-chat.ts'

export interface State {
  settings?: Settings
  loadError?: string
  turns: Turn[]
  lead?: Lead
  isRunning: boolean
  /** The message that is being spoken. */
  speaking?: string
  /** Why an answer could not be spoken. */
  silence?: string
  /** What could be asked next, as the flow proposes. */
  followUps: string[]
  /** Read out to people who do not see the chat. */
  announcement: string
}

/** Milliseconds between two drawings of an answer that arrives. */
const FRAME = 40

export class Session {
  state: State = { turns: [], isRunning: false, followUps: [], announcement: '' }
  private readonly options: Options
  private readonly api: WidgetApi
  private readonly listeners = new Set<() => void>()
  private chat: StoredChat
  private controller = new AbortController()
  /** While the chat waits for others to answer a question. */
  private waiting: AbortController | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly hear = hearAnswers((error) => this.set({ silence: messageOf(error) }))
  private readonly leaveVoice = voice.subscribe(() => this.set({ speaking: voice.speaking }))

  constructor(options: Options) {
    this.options = options
    this.api = openApi(options)
    this.chat = loadChat(options.flow)
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  async load(): Promise<void> {
    this.set({ loadError: undefined })
    try {
      const settings = readSettings(await this.api.readConfig())
      if (settings.startsAnew) this.chat = newChat(this.chat.lead)
      this.set({ settings, turns: this.chat.turns, lead: this.chat.lead })
      this.waitForOthers()
    } catch (error) {
      this.set({ loadError: messageOf(error) })
    }
  }

  send(asked: { question?: string; form?: Record<string, unknown>; uploads?: Upload[] }): Promise<void> {
    const { uploads } = asked
    const question = { ...asked, ...(this.state.lead?.email && { leadEmail: this.state.lead.email }) }
    return this.run(question, { question: textOf(asked), form: asked.form, files: sentFiles(uploads) })
  }

  /** Decides what a waiting run asks. */
  async answer(turn: Turn, { type, feedback }: HumanAnswer): Promise<void> {
    const { action, executionId } = turn.answer
    if (!action || this.state.isRunning) return
    const { approve, reject } = action.mapping
    this.stopWaiting()
    this.change(turn.id, { state: 'done' })
    const humanInput = { type, feedback, startNodeId: action.data.nodeId, executionId, actionId: action.id }
    await this.run({ humanInput }, { question: feedback || (type === 'proceed' ? approve : reject) })
  }

  async retry(turn: Turn): Promise<void> {
    this.set({ turns: this.state.turns.filter(({ id }) => id !== turn.id) })
    const uploads = turn.files?.map(({ upload }) => upload) ?? []
    const asked = turn.form ? { form: turn.form } : { question: turn.question }
    await this.send({ ...asked, ...(uploads.length > 0 && { uploads }) })
  }

  async stop(): Promise<void> {
    try {
      await this.api.stop(this.chat.chatId)
    } catch {
      this.controller.abort()
    }
  }

  /** Speaks the answer, or stops it. */
  async listen(messageId: string): Promise<void> {
    if (this.state.speaking === messageId) return voice.stop()
    this.set({ silence: undefined })
    try {
      await voice.speak(messageId, (_, signal) => this.api.speak(messageId, this.chat.chatId, signal))
    } catch (error) {
      this.set({ silence: messageOf(error) })
    }
  }

  /** Rejects when the rating could not be saved. */
  async rate({ id, answer: { messageId } }: Turn, opinion: Opinion): Promise<void> {
    if (!messageId) return
    await this.api.rate({ chatId: this.chat.chatId, messageId, ...opinion })
    this.change(id, { opinion })
    this.save()
  }

  /** Rejects when it could not be saved. */
  async leave(lead: Lead): Promise<void> {
    await this.api.leave(lead, this.chat.chatId)
    this.set({ lead, announcement: this.state.settings?.lead?.successMessage ?? '' })
    this.save()
  }

  readFile(file: File): Promise<Upload> {
    return this.api.readFile(file, this.chat.chatId)
  }

  startNew(): void {
    this.controller.abort()
    this.stopWaiting()
    voice.stop()
    this.chat = newChat(this.state.lead)
    this.set({ turns: [], silence: undefined, followUps: [], isRunning: false, announcement: 'New chat' })
    this.save()
  }

  /** Ends what this chat still does. */
  close(): void {
    this.controller.abort()
    this.stopWaiting()
    this.leaveVoice()
    voice.stop()
    this.listeners.clear()
  }

  private async run(
    question: Omit<Question, 'chatId'>,
    shown: Pick<Turn, 'question' | 'form' | 'files'>,
  ): Promise<void> {
    if (this.state.isRunning) return
    this.controller = new AbortController()
    const { signal } = this.controller
    const id = crypto.randomUUID()
    const turn: Turn = { id, ...shown, answer: emptyAnswer() }
    this.set({ turns: [...this.state.turns, turn], isRunning: true, followUps: [], announcement: '' })
    this.save()
    try {
      const { overrideConfig } = this.options
      const own = { ...question, ...(overrideConfig && { overrideConfig }) }
      const response = await this.api.ask({ ...own, chatId: this.chat.chatId }, signal)
      for await (const event of readRunEvents(response)) this.apply(id, event)
      if (this.find(id)?.answer.state === 'running') throw new CallError(LOST, 0)
    } catch (error) {
      if (signal.aborted) this.change(id, { state: 'stopped' })
      else this.change(id, { state: 'failed', error: error instanceof CallError ? error.message : LOST })
    }
    if (!this.find(id)) return
    const { text, error = '' } = this.find(id)?.answer ?? emptyAnswer()
    this.set({ isRunning: false, announcement: text || error })
    this.save()
    this.waitForOthers()
  }

  private stopWaiting(): void {
    this.waiting?.abort()
    this.waiting = undefined
  }

  /** Goes on when somebody answers the waiting question elsewhere: what follows is a turn without a question. */
  private waitForOthers(): void {
    const asked = waitingIn(this.state.turns)
    if (this.waiting || !asked) return
    const waiting = new AbortController()
    const { signal } = waiting
    this.waiting = waiting
    const { id: askingId, ...named } = asked
    const id = crypto.randomUUID()
    const onEvent = (event: RunEvent, isFirst: boolean) => {
      if (isFirst) {
        const others = this.state.turns.filter((turn) => turn.id !== id)
        const turns = others.map((turn) => (turn.id === askingId ? { ...turn, answer: goneOn(turn.answer) } : turn))
        this.set({ turns: [...turns, { id, question: '', answer: emptyAnswer() }] })
      }
      this.apply(id, event)
    }
    const open = () => this.api.wait({ ...named, chatId: this.chat.chatId }, signal)
    void followWaiting({ open, onEvent, signal }).then((wentOn) => {
      if (this.waiting === waiting) this.waiting = undefined
      if (!wentOn || signal.aborted) return
      this.set({ announcement: this.find(id)?.answer.text ?? '' })
      this.save()
      this.waitForOthers()
    })
  }

  private apply(id: string, event: RunEvent): void {
    this.hear(event)
    const turn = this.find(id)
    if (!turn) return
    this.state = {
      ...this.state,
      turns: this.state.turns.map((each) =>
        each === turn ? { ...turn, answer: applyEvent(turn.answer, event) } : each,
      ),
      ...(event.event === 'metadata' && { followUps: followUpsIn(event.data.followUpPrompts) }),
    }
    this.timer ??= setTimeout(() => this.set({}), FRAME)
  }

  private change(id: string, part: Partial<Turn['answer']>): void {
    const turns = this.state.turns.map((turn) =>
      turn.id === id ? { ...turn, answer: { ...turn.answer, ...part } } : turn,
    )
    this.set({ turns })
  }

  private find(id: string): Turn | undefined {
    return this.state.turns.find((turn) => turn.id === id)
  }

  private set(part: Partial<State>): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.state = { ...this.state, ...part }
    for (const listener of this.listeners) listener()
  }

  private save(): void {
    const { turns, lead } = this.state
    saveChat(this.options.flow, { chatId: this.chat.chatId, lead, turns })
  }
}

const LOST = 'The connection was lost before the answer was complete. Try again.'

export const messageOf = (error: unknown): string =>
  error instanceof Error && error.message ? error.message : 'Something went wrong. Try again.'

const textOf = ({ question, form }: { question?: string; form?: Record<string, unknown> }) =>
  question ??
  Object.entries(form ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** Flowise sends the list as JSON text, or as the JSON text of that. */
function followUpsIn(value: unknown): string[] {
  const once = typeof value === 'string' ? tryParseJson(value) : value
  const list = typeof once === 'string' ? tryParseJson(once) : once
  const prompts = isRecord(list) ? list.questions : list
  return Array.isArray(prompts) ? prompts.filter((prompt) => typeof prompt === 'string').slice(0, 6) : []
}
