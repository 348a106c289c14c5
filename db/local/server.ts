/** The embedded database: the libSQL engine behind its own HTTP protocol, on this machine only. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Limits, SQLD_LIMITS } from './limits.ts'
import { ProtocolError, SqldError, toWireError } from './protocol.ts'
import { readRequest } from './request-schema.ts'
import { countPrepared } from './statement.ts'
import { openStreams, type Streams } from './streams.ts'

/** Each limit that is not named is sqld's. */
interface LibsqlServerOptions extends Partial<Limits> {
  /** The database file, created when it does not exist. */
  file: string
  /** 0, the default, uses a free port. */
  port?: number
}

export interface LibsqlServer {
  url: string
  /** Generated at each start. Without it the server returns 401, so that no other program can read the data. */
  authToken: string
  /** The number of pipeline requests; each would cost a network round trip. */
  roundTrips(): number
  /** Transactions that wrote since the start; one writes at a time. */
  writes(): number
  /** Bytes of the longest answer since the start; sqld refuses to send more than 10 MB. */
  longestAnswer(): number
  /** Statements prepared so far; those that are kept are not prepared again. */
  prepared(): number
  /** Ends what runs, rolls back what is open and leaves everything in the one file. */
  close(): Promise<void>
}

/**
 * Serves `file` to `@libsql/client` at `url`. A statement is answered only after SQLite wrote it to the log, so
 * killing this process loses nothing that was answered (see `semaphore.ts` for what that does and does not cover).
 */
export async function startLibsqlServer(options: LibsqlServerOptions): Promise<LibsqlServer> {
  const { file, port = 0, ...others } = options
  const limits = { ...SQLD_LIMITS, ...others }
  const authToken = randomBytes(32).toString('base64url')
  const streams = openStreams(file, limits)
  let roundTrips = 0
  let longestAnswer = 0

  const server = createServer(async (request, response) => {
    const refusal = refusalOf(request.headers.authorization, authToken)
    if (refusal) {
      send(response, 401, { error: `Unauthorized: \`${refusal}\`` })
      return
    }
    if (request.method === 'GET' && request.url === '/v2') {
      sendText(response, 200, 'Hello, this is HTTP API v2 (Hrana over HTTP)')
      return
    }
    if (request.method !== 'POST' || request.url !== '/v2/pipeline') {
      response.writeHead(request.url === '/v2/pipeline' ? 405 : 404).end()
      return
    }
    roundTrips++
    longestAnswer = Math.max(longestAnswer, await answerPipeline(streams, request, response))
  })
  server.keepAliveTimeout = limits.idleConnectionMs
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  }).catch(async (error) => {
    await streams.close()
    throw error
  })

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authToken,
    roundTrips: () => roundTrips,
    writes: streams.writes,
    longestAnswer: () => longestAnswer,
    prepared: countPrepared,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      await streams.close()
    },
  }
}

/** Returns the bytes of the answer. */
async function answerPipeline(streams: Streams, request: IncomingMessage, response: ServerResponse): Promise<number> {
  try {
    const answered = await streams.run(readRequest(await readText(request)))
    response.once('close', answered.meter.release)
    return send(response, 200, answered.response)
  } catch (error) {
    if (error instanceof SqldError && error.status) return send(response, error.status, { error: error.message })
    if (!(error instanceof ProtocolError)) return send(response, 500, toWireError(error))
    const { message, code } = error
    return code ? send(response, 400, { message, code }) : sendText(response, 400, message)
  }
}

/** Says why a request may not be answered, in the words of sqld; undefined if it may. */
function refusalOf(authorization: string | undefined, authToken: string): string | undefined {
  if (authorization === undefined) return 'Expected authorization header but none given'
  if (!/^\S+ \S/.test(authorization)) return "Auth string does not conform to '<scheme> <token>' form"
  const given = Buffer.from(authorization)
  const expected = Buffer.from(`Bearer ${authToken}`)
  return given.length === expected.length && timingSafeEqual(given, expected) ? undefined : 'The JWT is invalid'
}

function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    request.once('error', reject)
    request.once('close', () => {
      if (!request.complete) reject(new ProtocolError('The request broke off'))
    })
  })
}

const send = (response: ServerResponse, status: number, body: unknown): number =>
  sendText(response, status, JSON.stringify(body), 'application/json')

function sendText(response: ServerResponse, status: number, text: string, type = 'text/plain'): number {
  const bytes = Buffer.from(text)
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length }).end(bytes)
  return bytes.length
}
