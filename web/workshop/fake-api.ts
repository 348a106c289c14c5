/** Answers the calls of a story in place of the server. */

/** A call that a story has sent. */
export interface SentCall {
  /** `POST /variables`, without the query. */
  call: string
  query: Record<string, string>
  /** Parsed JSON, the form of an upload, or undefined. */
  body: unknown
}

/**
 * Answers by method and path below /api/v1, where `*` stands for one part: `GET /variables/*`. An answer is JSON, a Response,
 * or a function of the call that returns either.
 */
export type Answers = Readonly<Record<string, unknown>>

/** An answer that never comes: the story stays loading. */
export const never = (): Promise<never> => new Promise(() => {})

/** A refusal, as the server sends it. */
export const refusal =
  (status: number, message: string, more: object = {}) =>
  (): Response =>
    Response.json({ message, statusCode: status, requestId: 'req-1', ...more }, { status })

/** A stream of server-sent events, each with its data as JSON. */
export const stream =
  (...events: object[]) =>
  (): Response =>
    new Response(events.map((event) => `message:\ndata:${JSON.stringify(event)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    })

const API = '/api/v1'

interface Line {
  sent: SentCall[]
  /** Calls that the story has no answer for. */
  unanswered: string[]
}

const realFetch = globalThis.fetch

/** Answers every call to the API from now on, until it is called again. Other addresses stay as they are. */
export function answerCalls(answers: Answers): Line {
  const line: Line = { sent: [], unanswered: [] }
  globalThis.fetch = async (input, init = {}) => {
    const url = new URL(String(input instanceof Request ? input.url : input), location.href)
    if (!url.pathname.startsWith(API)) return realFetch(input, init)
    const call = `${init.method ?? 'GET'} ${decodeURIComponent(url.pathname.slice(API.length))}`
    const sent = { call, query: Object.fromEntries(url.searchParams), body: bodyOf(init.body) }
    line.sent.push(sent)
    const answer = findAnswer(answers, call)
    if (answer === undefined) {
      line.unanswered.push(call)
      return refusal(501, `The story has no answer to ${call}`)()
    }
    return toResponse(await (typeof answer === 'function' ? answer(sent) : answer), init.signal)
  }
  return line
}

function findAnswer(answers: Answers, call: string): unknown {
  const key = Object.keys(answers).find((pattern) => {
    const parts = pattern.split('/')
    const own = call.split('/')
    return parts.length === own.length && parts.every((part, index) => part === '*' || part === own[index])
  })
  return key && answers[key]
}

function toResponse(answer: unknown, signal: AbortSignal | null | undefined): Response {
  signal?.throwIfAborted()
  if (answer instanceof Response) return answer.clone()
  return answer === null ? new Response(null, { status: 204 }) : Response.json(answer)
}

const bodyOf = (body: unknown) => (typeof body === 'string' && body ? JSON.parse(body) : (body ?? undefined))
