/** Stands for somebody's service in tests: it answers each request with what it was sent, and sets a cookie. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface EchoServer {
  url: string
  /** `127.0.0.1:<port>`, for ALLOW_PRIVATE_HOSTS. */
  host: string
  requests: { url: string; headers: Record<string, string | string[] | undefined>; body: string }[]
  close(): Promise<void>
}

/** Listens on a free port of 127.0.0.1. */
export async function startEchoServer(): Promise<EchoServer> {
  const requests: EchoServer['requests'] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    requests.push({ url: request.url ?? '', headers: request.headers, body })
    response.writeHead(200, {
      'content-type': 'application/json',
      'set-cookie': 'theirs=1',
      'x-api-key': 'of the service',
    })
    response.end(JSON.stringify({ url: request.url, body, authorization: request.headers.authorization }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    requests,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
