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

/** A chat completions server that refuses some requests. It answers the others as they were asked: streamed or whole. */
export function strictServer(refuse: (body: Record<string, unknown>) => Response | undefined, content = 'ok') {
  const sent: Record<string, unknown>[] = []
  const egress: Egress = {
    async fetch(input, init) {
      const body = JSON.parse(await new Request(input, init).text()) as Record<string, unknown>
      sent.push(body)
      return refuse(body) ?? (body.stream ? streamedCompletion(content) : wholeCompletion(content))
    },
  }
  return { egress, sent }
}

const completion = { id: 'chatcmpl-1', created: 1760000000, model: 'model-1' }

function streamedCompletion(content: string): Response {
  const chunk = { ...completion, object: 'chat.completion.chunk' }
  return sse([
    { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ])
}

function wholeCompletion(content: string): Response {
  const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }
  const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }
  return Response.json({ ...completion, object: 'chat.completion', choices: [choice], usage })
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
