/** A DNS over HTTPS resolver for tests, in the JSON form of Cloudflare and Google. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface DnsServer {
  url: string
  host: string
  /** The TXT records, as zone files write them: `"one" "two"`. */
  records: Record<string, string[]>
  /** Answers with this status in place of the records. */
  status: number
  /** The names that were asked for. */
  asked: string[]
  close(): Promise<void>
}

export async function startDnsServer(): Promise<DnsServer> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', started.url)
    const name = searchParams.get('name') ?? ''
    started.asked.push(`${searchParams.get('type')} ${name}`)
    response.writeHead(started.status, { 'content-type': 'application/dns-json' })
    const found = started.records[name]
    const Question = [{ name, type: 16 }]
    const flags = { TC: false, RD: true, RA: true, AD: false, CD: false }
    const Answer = found?.map((data) => ({ name, type: 16, TTL: 300, data }))
    response.end(JSON.stringify({ Status: found ? 0 : 3, ...flags, Question, ...(Answer && { Answer }) }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const started: DnsServer = {
    ...{ url: `http://${host}/dns-query`, host, records: {}, status: 200, asked: [] },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return started
}
