/**
 * Miniflare, required: to import its five megabytes, Node would also read them for their format and once more for the names
 * that they export, a tenth of a start.
 */
import { createRequire } from 'node:module'

const miniflare: typeof import('miniflare') = createRequire(import.meta.url)('miniflare')
/**
 * Requests reach the worker directly, so nobody but the client would set the header that Miniflare's front sends on. Without it,
 * workerd itself says who connected.
 */
Object.assign(miniflare.CoreHeaders, { CF_BLOB: undefined })

export const { convertV4MiniflareOptions, Log, LogLevel, Miniflare, Response } = miniflare
