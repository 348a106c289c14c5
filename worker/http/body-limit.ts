/** Rejects a body above the route's limit before anything else reads it. */
import { createMiddleware } from 'hono/factory'
import { HeddleError } from '#contract/errors.ts'
import type { AppEnv, Route } from './route.ts'

const DEFAULT_BYTES = 1024 * 1024
/**
 * Bytes of a rejected body that are still read and discarded: most clients read the response only after sending
 * everything, and see an early response as a broken connection.
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

/** Returns undefined for a chunked body. For other bodies the platform enforces the declared length. */
function declaredSize(headers: Headers): number | undefined {
  const length = headers.get('content-length')
  return length === null || headers.has('transfer-encoding') ? undefined : Number(length)
}

/** Returns the whole body, or undefined when it is larger. Holds at most `maxSize` bytes in memory. */
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
