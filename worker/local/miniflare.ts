/**
 * Miniflare, required: to import its five megabytes, Node would also read them for their format and once more for the names
 * that they export, a tenth of a start.
 */
import { createRequire } from 'node:module'

const miniflare: typeof import('miniflare') = createRequire(import.meta.url)('miniflare')
export const { convertV4MiniflareOptions, Log, LogLevel, Miniflare, Response } = miniflare

const FRONT_HEADER = miniflare.CoreHeaders.CF_BLOB
let starting = 0

/**
 * Starts a worker that requests reach directly, so that workerd itself says who connected. Miniflare tells each socket to take
 * that from a header of its own front: without the front, nobody sets it but clients, who could name any address.
 */
export async function startWithoutFront<Result>(start: () => Promise<Result>): Promise<Result> {
  starting++
  Object.assign(miniflare.CoreHeaders, { CF_BLOB: undefined })
  try {
    return await start()
  } finally {
    if (--starting === 0) Object.assign(miniflare.CoreHeaders, { CF_BLOB: FRONT_HEADER })
  }
}
