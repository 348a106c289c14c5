/** A proxy before a test's database, at which requests meet faults. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A fault that a request meets: an answer in place of the database's, or a connection that breaks. */
export type Fault =
  | 'passes'
  | { status: number; body: string }
  | 'breaks before it arrives'
  | 'answer is lost'
  | 'half an answer'

export interface DatabaseProxy {
  url: string
  passTo(target: string): void
  /** The next requests meet these faults, one each. */
  fail(...faults: Fault[]): void
  /** Refuses every connection until the returned function is called. */
  goAway(): () => void
  close(): Promise<void>
}

export async function startDatabaseProxy(): Promise<DatabaseProxy> {
  let faults: Fault[] = []
  let isAway = false
  let target = ''
  const server = createServer((request, response) => {
    const fault = isAway ? 'breaks before it arrives' : faults.shift()
    answer(request, response, { fault, target }).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passTo(next) {
      target = next
    },
    fail(...next) {
      faults = next
    },
    goAway() {
      isAway = true
      return () => {
        isAway = false
      }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { fault, target }: { fault?: Fault; target: string },
): Promise<void> {
  if (fault === 'breaks before it arrives') {
    request.socket.destroy()
    return
  }
  if (typeof fault === 'object') {
    request.resume()
    response.writeHead(fault.status, { 'content-type': 'text/html' }).end(fault.body)
    return
  }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const headers = { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' }
  const answered = await fetch(`${target}${request.url}`, { method: 'POST', headers, body: Buffer.concat(chunks) })
  const bytes = Buffer.from(await answered.arrayBuffer())
  if (fault === 'answer is lost') {
    request.socket.destroy()
    return
  }
  const sent = fault === 'half an answer' ? bytes.subarray(0, bytes.length / 2) : bytes
  response.writeHead(answered.status, { 'content-type': 'application/json', 'content-length': sent.length }).end(sent)
}
