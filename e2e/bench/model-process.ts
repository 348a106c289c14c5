/** The process of a model server that answers at once: the same text always, and first a call of a tool where there is one. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Asked {
  stream?: boolean
  tools?: { function: { name: string } }[]
  messages: { role: string }[]
}

export const TEXT = 'A short answer of a few words.'
const HEAD = { id: 'chatcmpl-scripted', created: 0, model: 'scripted' }
const USAGE = { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 }
const ARGUMENTS = '{"input":"6 * 7"}'

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => answer(response, JSON.parse(Buffer.concat(chunks).toString()) as Asked))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  process.send?.(`127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.once('disconnect', () => process.exit())

function answer(response: ServerResponse, { stream, tools, messages }: Asked): void {
  const tool = messages.at(-1)?.role === 'tool' ? undefined : tools?.[0]?.function.name
  const message = tool
    ? { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: tool, arguments: ARGUMENTS } }] }
    : { content: TEXT }
  const finish_reason = tool ? 'tool_calls' : 'stop'
  if (stream) sendEvents(response, { message, finish_reason })
  else {
    const choices = [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason }]
    send(response, 'application/json', JSON.stringify({ ...HEAD, object: 'chat.completion', choices, usage: USAGE }))
  }
}

function sendEvents(response: ServerResponse, { message, finish_reason }: { message: object; finish_reason: string }) {
  const chunk = (choices: object[], more = {}) =>
    `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  const events = [
    chunk([{ index: 0, delta: { role: 'assistant', ...message }, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason }]),
    chunk([], { usage: USAGE }),
    'data: [DONE]\n\n',
  ]
  send(response, 'text/event-stream', events.join(''))
}

function send(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
}
