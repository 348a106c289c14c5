/** Serves the browser bundle from memory, as the CDN does in the cloud. Each file is packed once. */
import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { type HeaderRule, headersFor, parseHeadersFile } from './headers-file.ts'
import { hashOf, PACKABLE, readPacked } from './packed-assets.ts'

/** The response without its platform types. */
interface AssetAnswer {
  status: number
  headers: Headers
  body: Buffer | null
}

interface Asset {
  path: string
  bytes: Buffer
  /** The same after packing, by its encoding: with Brotli by the build, with others when somebody first asks for it. */
  packed: Map<string, Promise<Buffer>>
  etag: string
}

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
const gzip = promisify(zlib.gzip)
// Node 20 has none.
const zstd = zlib.zstdCompress && promisify(zlib.zstdCompress)

interface Packing {
  encoding: string
  accepts: RegExp
  /** Absent where only a build packs. */
  pack?(bytes: Buffer): Promise<Buffer>
}

/** Best first. */
const PACKINGS: Packing[] = [
  { encoding: 'br', accepts: /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/ },
  ...(zstd
    ? [
        {
          encoding: 'zstd',
          accepts: /\bzstd\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/,
          pack: (bytes: Buffer) => zstd(bytes, zstdOptions(bytes)),
        },
      ]
    : []),
  {
    encoding: 'gzip',
    accepts: /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/,
    pack: (bytes: Buffer) => gzip(bytes, { level: 9 }),
  },
]

/** Without the size, it would reserve room for files of 8 MB. */
const zstdOptions = ({ length }: Buffer) => ({
  params: { [zlib.constants.ZSTD_c_compressionLevel]: 19 },
  pledgedSrcSize: length,
})

/** Instructions for the CDN, not pages. */
const NOT_SERVED = new Set(['/_headers', '/_redirects', '/.assetsignore'])

type ServeAsset = (request: Pick<Request, 'method' | 'url' | 'headers'>) => Promise<AssetAnswer>

/**
 * Reads the bundle, and returns what serves it. A path without a file returns index.html, because the browser's router
 * knows the pages, and the worker which paths are files.
 */
export async function openAssets(dist: string): Promise<ServeAsset> {
  const folder = join(dist, 'client')
  const assets = await readAssets(folder, dist)
  const rules = readRules(folder)

  return async ({ method, url, headers: asked }) => {
    const { pathname, protocol } = new URL(url)
    const path = decodePath(pathname)
    const headers = headersFor(rules, path)
    // Browsers ignore this header over http.
    if (protocol !== 'https:') headers.delete('strict-transport-security')
    if (method !== 'GET' && method !== 'HEAD') return plain(405, headers, 'Only GET and HEAD are allowed')
    const asset = assets.get(path) ?? assets.get('/index.html')
    return asset ? answer(asset, asked, headers) : plain(404, headers, 'Not found')
  }
}

/** The same as a handler of Node's own server, behind the worker. Requests wait until the bundle is read. */
export function handleAssets(
  opened: Promise<ServeAsset>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async ({ method = 'GET', url, headers: asked }, response) => {
    const headers = new Headers({ 'accept-encoding': asked['accept-encoding'] ?? '' })
    if (asked['if-none-match']) headers.set('if-none-match', asked['if-none-match'])
    const scheme = asked['x-forwarded-proto'] === 'https' ? 'https' : 'http'
    const { status, headers: own, body } = await (await opened)({ method, url: `${scheme}://localhost${url}`, headers })
    response.writeHead(status, [...own].flat()).end(method === 'HEAD' ? null : body)
  }
}

async function answer(asset: Asset, asked: Pick<Headers, 'get'>, headers: Headers): Promise<AssetAnswer> {
  headers.set('content-type', TYPES[extname(asset.path)] ?? 'application/octet-stream')
  headers.set('etag', asset.etag)
  if (!headers.has('cache-control')) headers.set('cache-control', 'public, max-age=0, must-revalidate')
  if (asked.get('if-none-match')?.includes(asset.etag)) return { status: 304, headers, body: null }
  if (!PACKABLE.test(asset.path)) return { status: 200, headers, body: asset.bytes }
  headers.set('vary', 'accept-encoding')
  const accepted = PACKINGS.filter(({ accepts }) => accepts.test(asked.get('accept-encoding') ?? ''))
  for (const { encoding, pack } of accepted) {
    const packed = asset.packed.get(encoding) ?? pack?.(asset.bytes)
    if (!packed) continue
    asset.packed.set(encoding, packed)
    headers.set('content-encoding', encoding)
    return { status: 200, headers, body: await packed }
  }
  return { status: 200, headers, body: asset.bytes }
}

/** One file after another, so that a start that waits for the runtime meanwhile is not held up. */
async function readAssets(folder: string, dist: string): Promise<Map<string, Asset>> {
  const assets = new Map<string, Asset>()
  if (!existsSync(folder)) return assets
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, file).split(sep).join('/')}`
    if (NOT_SERVED.has(path)) continue
    const bytes = await readFile(file)
    const hash = hashOf(bytes)
    const brotli = await readPacked(dist, hash)
    const packed = new Map(brotli ? [['br', Promise.resolve(brotli)]] : [])
    assets.set(path, { path, bytes, packed, etag: `W/"${hash}"` })
  }
  return assets
}

function readRules(folder: string): HeaderRule[] {
  const file = join(folder, '_headers')
  return existsSync(file) ? parseHeadersFile(readFileSync(file, 'utf8')) : []
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function plain(status: number, headers: Headers, text: string): AssetAnswer {
  headers.set('content-type', 'text/plain; charset=utf-8')
  headers.set('cache-control', 'no-store')
  return { status, headers, body: Buffer.from(text) }
}
