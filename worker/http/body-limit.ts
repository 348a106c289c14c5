/** Refuses a body above the route's limit before anything else reads it. */
import { createMiddleware } from 'hono/factory'
import { HeddleError } from '#contract/errors.ts'
import type { AppEnv, Route } from './route.ts'

const DEFAULT_BYTES = 1024 * 1024
/**
 * Of a body that is too large so much is read and thrown away before it is refused: most clients listen only when they
 * have sent everything, and an answer in the middle reaches them as a broken connection.
 */
const DRAINED_BYTES = 64 * 1024 * 1024

export function bodyLimit(route: Route) {
  const maxSize = route.maxBodyBytes ?? DEFAULT_BYTES
  return createMiddleware<AppEnv>(async (c, next) => {
    const { body, headers } = c.req.raw
    if (body && (declaredSize(headers) ?? Number.POSITIVE_INFINITY) > maxSize) {
      const kept = await readUpTo(maxSize, body)
      if (!kept) throw new HeddleError('too_large', `The request body is larger than ${maxSize} bytes`)
      c.req.raw = new Request(c.req.raw, { body: kept })
    }
    await next()
  })
}

/** Undefined for a body that comes in pieces: the platform holds the others to what they declare. */
function declaredSize(headers: Headers): number | undefined {
  const length = headers.get('content-length')
  return length === null || headers.has('transfer-encoding') ? undefined : Number(length)
}

/** The whole body, or undefined when it is larger; nothing beyond `maxSize` is kept in memory. */
async function readUpTo(maxSize: number, body: ReadableStream<Uint8Array>): Promise<Blob | undefined> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size <= maxSize) pieces.push(piece as Uint8Array<ArrayBuffer>)
    else pieces.length = 0
    if (size > maxSize + DRAINED_BYTES) break
  }
  return size <= maxSize ? new Blob(pieces) : undefined
}
