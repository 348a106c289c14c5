/** Stands for the services that templates call: news, mail, chat, shops. Every request is accepted, or refused. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ServiceServer {
  url: string
  /** `127.0.0.1:<port>`, for ALLOW_PRIVATE_HOSTS. */
  host: string
  /** Answers with 503 while true. */
  refuses: boolean
  requests: { method: string; path: string; body: string }[]
  close(): Promise<void>
}

/** What a service answers at a path; `{ ok: true }` at all others. */
const ANSWERS: Record<string, unknown> = {
  '/items.json': [{ title: 'Flax harvest begins' }, { title: 'New looms in Ghent' }],
  '/schema': { orders: ['id', 'shipped_at'] },
  '/query': [{ count: 42 }],
  '/recent': ['12:00 timeout of the bank'],
  '/products/loom.json': { price: 89 },
}

/** Listens on a free port of 127.0.0.1. */
export async function startServiceServer(): Promise<ServiceServer> {
  const http = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const path = request.url ?? ''
    server.requests.push({ method: request.method ?? '', path, body })
    response.writeHead(server.refuses ? 503 : 200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify(server.refuses ? { error: 'closed' } : (ANSWERS[path.split('?', 1)[0] ?? ''] ?? { ok: true })),
    )
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`
  const server: ServiceServer = {
    url: `http://${host}`,
    host,
    refuses: false,
    requests: [],
    async close() {
      http.close()
      http.closeAllConnections()
      await once(http, 'close')
    },
  }
  return server
}
