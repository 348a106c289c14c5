/** Test helper: a server on this machine that answers what a test says, and remembers what it was asked. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  /** `GET /pages/1` */
  what: string
  // Each test knows the shape of its requests.
  body: ReturnType<typeof JSON.parse>
}

export interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

export async function startScriptedServer(answer: (asked: Asked) => Answer) {
  const asked: Asked[] = []
  let script = answer
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const path = (request.url ?? '').split('?', 1)[0]
    const call = { what: `${request.method} ${path}`, body: text === '' ? undefined : JSON.parse(text) }
    asked.push(call)
    const { status = 200, headers = {}, body = {} } = script(call)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ host, url: `http://${host}`, asked },
    answerWith(next: typeof answer) {
      script = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
