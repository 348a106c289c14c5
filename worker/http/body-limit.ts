/** Rejects a body above the route's limit before anything else reads it. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HeddleError } from '#contract/errors.ts'
import type { AppEnv, Route } from './route.ts'

export const DEFAULT_BODY_BYTES = 1024 * 1024
/**
 * Bytes of a rejected body that are still read and discarded: most clients read the response only after sending
 * everything, and see an early response as a broken connection.
 */
const DRAINED_BYTES = 64 * 1024 * 1024

/** Follows the question who may call. Larger bodies than the default are read where `beforeLargeBody` lets them pass. */
export function bodyLimit(route: Route) {
  const maxSize = route.maxBodyBytes ?? DEFAULT_BODY_BYTES
  return createMiddleware<AppEnv>(async (c, next) => {
    const { body, headers } = c.req.raw
    const declared = declaredSize(headers)
    if (body && declared === undefined) {
      const kept = await readUpTo(body, { maxSize, beforeLarge: () => admit(c, route) })
      c.req.raw = new Request(c.req.raw, { body: kept })
    } else if (body && declared !== undefined && declared > DEFAULT_BODY_BYTES) {
      if (declared > maxSize) throw tooLarge(maxSize)
      await admit(c, route)
    }
    await next()
  })
}

/** Reads what a refused caller has not sent yet, and forgets it. */
export const drainRefused = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { body, bodyUsed } = c.req.raw
  if (c.res.status < 400 || !body || bodyUsed || body.locked) return
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > DRAINED_BYTES) break
  }
})

/** True for a body that any caller of a route may send, by the length that it declares. */
export const isSmallBody = ({ headers }: Request): boolean => (declaredSize(headers) ?? Infinity) <= DEFAULT_BODY_BYTES

const admit = async (c: Context<AppEnv>, { beforeLargeBody }: Route) => beforeLargeBody?.(c)

const tooLarge = (bytes: number) => new HeddleError('too_large', `The request body is larger than ${bytes} bytes`)

/** Returns undefined for a chunked body. For other bodies the platform enforces the declared length. */
function declaredSize(headers: Headers): number | undefined {
  const length = headers.get('content-length')
  return length === null || headers.has('transfer-encoding') ? undefined : Number(length)
}

interface Reading {
  maxSize: number
  beforeLarge(): Promise<void>
}

/** Returns the whole body. Holds at most `maxSize` bytes in memory. Throws the refusal once the caller has sent the rest. */
async function readUpTo(body: ReadableStream<Uint8Array>, { maxSize, beforeLarge }: Reading): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  let isAdmitted = false
  let refusal: unknown
  for await (const piece of body) {
    size += piece.length
    if (size > maxSize) refusal ??= tooLarge(maxSize)
    if (!refusal && !isAdmitted && size > DEFAULT_BODY_BYTES) {
      refusal = await beforeLarge().catch((error: unknown) => error)
      isAdmitted = true
    }
    if (!refusal) pieces.push(piece as Uint8Array<ArrayBuffer>)
    else pieces.length = 0
    if (size > maxSize + DRAINED_BYTES) break
  }
  if (refusal) throw refusal
  return new Blob(pieces)
}
