/**
 * The process of a model server that answers at once: the same text always, and first a call of a tool where there is one.
 * A message that asks for so many words gets each as an event, all at once or at the rate that it names.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ANSWER_TEXT, type Words, wordsAskedFor } from './model-texts.ts'

interface CompletionRequest {
  stream?: boolean
  tools?: { function: { name: string } }[]
  messages: { role: string; content: string }[]
}

const HEAD = { id: 'chatcmpl-scripted', created: 0, model: 'scripted' }
const USAGE = { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 }
const ARGUMENTS = '{"input":"6 * 7"}'

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => answer(response, JSON.parse(Buffer.concat(chunks).toString()) as CompletionRequest))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  process.send?.(`127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.once('disconnect', () => process.exit())

function answer(response: ServerResponse, { stream, tools, messages }: CompletionRequest): void {
  const tool = messages.at(-1)?.role === 'tool' ? undefined : tools?.[0]?.function.name
  const message = tool
    ? { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: tool, arguments: ARGUMENTS } }] }
    : { content: ANSWER_TEXT }
  const finish_reason = tool ? 'tool_calls' : 'stop'
  const words = wordsAskedFor(messages.at(-1)?.content ?? '')
  if (stream && words) sendWords(response, words)
  else if (stream) send(response, 'text/event-stream', eventsOf([message], finish_reason))
  else {
    const choices = [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason }]
    send(response, 'application/json', JSON.stringify({ ...HEAD, object: 'chat.completion', choices, usage: USAGE }))
  }
}

function eventsOf(deltas: object[], finish_reason: string): string {
  const chunk = (choices: object[], more = {}) =>
    `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  return [
    ...deltas.map((delta) => chunk([{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }])),
    chunk([{ index: 0, delta: {}, finish_reason }]),
    chunk([], { usage: USAGE }),
    'data: [DONE]\n\n',
  ].join('')
}

/** Milliseconds until a model that writes at a rate begins. */
const THINKING_MS = 20

function sendWords(response: ServerResponse, { count, perSecond, apart }: Words): void {
  const events = wordEvents(count)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (!perSecond) {
    for (const event of apart ? events : [events.join('')]) response.write(event)
    response.end()
    return
  }
  let next = 0
  const sendNext = () => {
    response.write(events[next++])
    if (next < count) setTimeout(sendNext, 1000 / perSecond)
    else response.end(events.slice(next).join(''))
  }
  setTimeout(sendNext, THINKING_MS)
}

const eventsByWords = new Map<number, string[]>()

/** The events of an answer, and behind those of its words the ones that end it. */
function wordEvents(count: number): string[] {
  const known = eventsByWords.get(count)
  if (known) return known
  const deltas = Array.from({ length: count }, (_, at) => ({ content: `word${at} ` }))
  const events = eventsOf(deltas, 'stop').split(/(?<=\n\n)/)
  eventsByWords.set(count, events)
  return events
}

function send(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
}
