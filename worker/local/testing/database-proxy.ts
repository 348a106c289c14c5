/** A proxy before a test's database, which counts requests, and at which they meet faults. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A fault that a request meets: an answer in place of the database's, or a connection that breaks. */
export type Fault =
  | 'passes'
  | { status: number; body: string }
  | 'breaks before it arrives'
  | 'answer is lost'
  | 'half an answer'

/** Requests to the database. */
export interface Trips {
  total: number
  /** The most of them that came one after the other. */
  inSequence: number
}

export interface DatabaseProxy {
  url: string
  /** Counts from now on. The returned function says how many there have been. */
  countTrips(): () => Trips
  /** @param authToken is sent in place of the requests' own */
  passTo(target: string, authToken?: string): void
  /** Milliseconds that each request takes there, and its answer back. */
  setDistance(milliseconds: number): void
  /** The next requests meet these faults, one each. */
  fail(...faults: Fault[]): void
  /** Refuses every connection until the returned function is called. */
  goAway(): () => void
  close(): Promise<void>
}

export async function startDatabaseProxy(): Promise<DatabaseProxy> {
  let faults: Fault[] = []
  let isAway = false
  let target: Target = { url: '' }
  let distance = 0
  let onTrip: ((trip: Trip) => void) | undefined
  const server = createServer((request, response) => {
    const fault = isAway ? 'breaks before it arrives' : faults.shift()
    const begin = performance.now()
    response.once('close', () => onTrip?.({ begin, end: performance.now() }))
    answer(request, response, { fault, target, distance }).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    countTrips() {
      const trips: Trip[] = []
      onTrip = (trip) => trips.push(trip)
      return () => ({ total: trips.length, inSequence: longestSequence(trips) })
    },
    passTo(url, authToken) {
      target = { url, authToken }
    },
    setDistance(milliseconds) {
      distance = milliseconds
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

interface Target {
  url: string
  authToken?: string | undefined
}

/** Milliseconds. */
interface Trip {
  begin: number
  end: number
}

/** Counts each trip that begins when the last counted one has ended. */
function longestSequence(trips: Trip[]): number {
  const byEnd = trips.toSorted((one, other) => one.end - other.end)
  let count = 0
  let ended = 0
  for (const { begin, end } of byEnd) {
    if (begin < ended) continue
    count++
    ended = end
  }
  return count
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { fault, target, distance }: { fault?: Fault; target: Target; distance: number },
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
  if (distance > 0) await sleep(distance)
  const authorization = target.authToken ? `Bearer ${target.authToken}` : (request.headers.authorization ?? '')
  const headers = { authorization, 'content-type': 'application/json' }
  const answered = await fetch(`${target.url}${request.url}`, { method: 'POST', headers, body: Buffer.concat(chunks) })
  const bytes = Buffer.from(await answered.arrayBuffer())
  if (distance > 0) await sleep(distance)
  if (fault === 'answer is lost') {
    request.socket.destroy()
    return
  }
  const sent = fault === 'half an answer' ? bytes.subarray(0, bytes.length / 2) : bytes
  response.writeHead(answered.status, { 'content-type': 'application/json', 'content-length': sent.length }).end(sent)
}
