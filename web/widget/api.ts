/** The public calls of a flow that the widget makes, without the visitor's cookies. */

import type { CreateFeedback } from '#contract/chats/feedback.ts'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { Upload } from '#contract/predictions/uploads.ts'

/** Contact details that a visitor left before the first message. */
export interface Lead {
  name?: string
  email?: string
  phone?: string
}

export interface Question {
  chatId: string
  question?: string
  form?: Record<string, unknown>
  uploads?: Upload[]
  humanInput?: Record<string, unknown>
  leadEmail?: string
  overrideConfig?: Record<string, unknown>
}

/** Its message is for the visitor. */
export class CallError extends Error {
  /** 0 when there was no response. */
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

export interface WidgetApi {
  readConfig(): Promise<unknown>
  /** Returns the response for streaming. */
  ask(question: Question, signal: AbortSignal): Promise<Response>
  /** Opens the stream of a run that waits for somebody: what follows its question. */
  wait(waiting: { chatId: string; executionId: string; question: string }, signal: AbortSignal): Promise<Response>
  stop(chatId: string): Promise<void>
  /** Returns the sound of an answer, as a stream. */
  speak(chatMessageId: string, chatId: string, signal: AbortSignal): Promise<Response>
  rate(feedback: Omit<CreateFeedback, 'chatflowid'>): Promise<void>
  leave(lead: Lead, chatId: string): Promise<void>
  /** Returns the text of a file. */
  readFile(file: File, chatId: string): Promise<Upload>
}

/** Every method throws CallError. Refusals are explained to the site's owner in the console. */
export function openApi({ api, flow }: { api: string; flow: string }): WidgetApi {
  const id = encodeURIComponent(flow)

  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    let response: Response
    try {
      response = await fetch(`${api}/api/v1${path}`, { credentials: 'omit', ...init })
    } catch (error) {
      if (init.signal?.aborted) throw error
      console.error(unreachable(api))
      throw new CallError('The chat can’t be reached. Check your connection and try again.', 0)
    }
    if (response.ok) return response
    const said = messageIn(await response.text().catch(() => ''))
    const hint = hintFor(response.status, { said, flow })
    if (hint) console.error(hint)
    throw new CallError(visitorText(response.status, said), response.status)
  }

  const send = (method: string, path: string, body: unknown, signal?: AbortSignal) =>
    call(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), signal })

  return {
    readConfig: async () => (await call(`/public-chatbotConfig/${id}`)).json(),
    ask: (question, signal) => send('POST', `/prediction/${id}`, { ...question, streaming: true }, signal),
    wait: ({ executionId, ...named }, signal) =>
      call(`/prediction/${id}/${encodeURIComponent(executionId)}?${new URLSearchParams(named)}`, { signal }),
    stop: async (chatId) =>
      void (await call(`/chatmessage/abort/${id}/${encodeURIComponent(chatId)}`, { method: 'PUT' })),
    speak: (chatMessageId, chatId, signal) =>
      send('POST', '/text-to-speech/generate', { chatflowId: flow, chatId, chatMessageId }, signal),
    rate: async (feedback) => void (await send('POST', '/feedback', { chatflowid: flow, ...feedback })),
    leave: async (lead, chatId) => void (await send('POST', '/leads', { chatflowid: flow, chatId, ...lead })),
    async readFile(file, chatId) {
      const body = new FormData()
      body.append('files', file)
      const response = await call(`/attachments/${id}/${encodeURIComponent(chatId)}`, { method: 'POST', body })
      const [read] = (await response.json()) as { name: string; mimeType: string; content: string }[]
      if (!read) throw new CallError(`${file.name} could not be read.`, response.status)
      return { type: 'file:full', name: read.name, mime: read.mimeType, data: read.content }
    },
  }
}

/** The server answers errors as JSON, and some as plain text. */
function messageIn(text: string): string {
  const body = tryParseJson(text)
  if (isRecord(body)) return typeof body.message === 'string' ? body.message : ''
  return text.startsWith('<') ? '' : text.slice(0, 500)
}

const visitorText = (status: number, said: string): string => {
  if (status === 401) return 'This chat is not open to visitors of this page.'
  if (status === 404) return 'This chat does not exist any more.'
  if (status >= 500 && said === '') return 'The chat has a problem. Try again in a moment.'
  return said || `The chat refused this (${status}). Try again in a moment.`
}

const unreachable = (api: string) =>
  `[Heddle] ${location.origin} got no answer from ${api}. Check that data-api is the address of your Heddle, that it runs, and that no Content-Security-Policy (connect-src) or browser extension blocks it.`

function hintFor(status: number, { said, flow }: { said: string; flow: string }): string | undefined {
  if (status === 401) {
    return `[Heddle] Flow ${flow} does not exist, or does not answer pages of ${location.origin}. Check data-flow and data-api, then open the flow in Heddle and choose “Everyone”, or “Certain sites” with this one, under Share. (${said})`
  }
  if (status === 403) {
    return `[Heddle] Flow ${flow} refuses pages of ${location.origin}. Open the flow in Heddle and add this site under Share. (${said})`
  }
  if (status === 404) return `[Heddle] There is no flow ${flow}. Check data-flow and data-api. (${said})`
  return undefined
}
