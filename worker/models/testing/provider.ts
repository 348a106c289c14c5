/** Test helper: a provider that returns recorded responses through the egress port and records requests. */
import type { Egress } from '../../ports/types.ts'

export interface Sent {
  url: string
  headers: Record<string, string>
  body: Record<string, unknown>
}

export function scriptedProvider(...answers: Response[]) {
  const sent: Sent[] = []
  const egress: Egress = {
    async fetch(input, init) {
      const request = new Request(input, init)
      const body = JSON.parse((await request.text()) || '{}') as Record<string, unknown>
      sent.push({ url: request.url, headers: Object.fromEntries(request.headers), body })
      return answers.shift() ?? new Response('nothing left to answer', { status: 500 })
    },
  }
  return { egress, sent }
}

/** Server-sent events as OpenAI, Mistral and Groq send them. */
export function sse(events: unknown[], end = 'data: [DONE]\n\n'): Response {
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + end
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
}

/** Server-sent events with a name, as Anthropic sends them. */
export function namedSse(events: ({ type: string } & Record<string, unknown>)[]): Response {
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
}
