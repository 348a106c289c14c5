/** Reads the sitemaps of a site: lists of pages and lists of lists, packed or not. */
import { type LoaderContext, type SourceItem, type SourcePart, UnreadableError } from '../../types.ts'
import { bodyBytes, sendRequest } from '../services/requests.ts'
import { itemOf, MAX_PAGES } from './crawl.ts'
import { mayRead, namedSitemaps, USER_AGENT, waitForTurn } from './crawl-rate.ts'
import { canonicalAddress } from './pages.ts'

const MAX_SITEMAPS = 50
const MAX_ADDRESSES = 50_000
const MAX_BYTES = 10 * 1024 ** 2
const MAX_UNPACKED_BYTES = 20 * 1024 ** 2
const MAX_OPEN = 50
const MAX_ADDRESS_CHARS = 2000
/** robots.txt is asked of so many pages of one file. */
const MAX_CHECKS = 2 * MAX_PAGES

/** What is still to be read. */
interface Reading {
  waiting: string[]
  /** Sitemaps that were read or wait. */
  sitemaps: number
  addresses: number
  taken: number
}

interface SitemapCall {
  context: LoaderContext
  cursor: string | undefined
}

/** Reads one file in each part. */
export async function listSitemap(start: string, limit: number, { context, cursor }: SitemapCall): Promise<SourcePart> {
  const reading = cursor === undefined ? await beginReading(start, context) : (JSON.parse(cursor) as Reading)
  const address = reading.waiting.shift()
  if (address === undefined) return { items: [] }
  const isFirst = cursor === undefined
  const { pages, sitemaps } = await readSitemap(address, context, isFirst)
  reading.addresses += pages.length + sitemaps.length
  const { origin } = new URL(start)
  const room = MAX_SITEMAPS - reading.sitemaps
  const further = onSite(sitemaps, origin).slice(0, room)
  reading.waiting.push(...further)
  reading.sitemaps += further.length
  const items: SourceItem[] = []
  for (const page of onSite(pages, origin).slice(0, MAX_CHECKS)) {
    if (reading.taken >= limit) break
    if (!(await mayRead(page, context))) continue
    items.push(itemOf(page))
    reading.taken += 1
  }
  const isOver = reading.waiting.length === 0 || reading.taken >= limit || reading.addresses >= MAX_ADDRESSES
  return isOver ? { items } : { items, cursor: JSON.stringify(reading) }
}

async function beginReading(start: string, context: LoaderContext): Promise<Reading> {
  const { origin, pathname } = new URL(start)
  const isSitemap = /\.(xml|gz)$/i.test(pathname)
  const named = isSitemap ? [start] : onSite(await namedSitemaps(origin, context), origin).slice(0, MAX_SITEMAPS)
  const waiting = named.length > 0 ? named : [`${origin}/sitemap.xml`]
  return { waiting, sitemaps: waiting.length, addresses: 0, taken: 0 }
}

const onSite = (addresses: string[], origin: string): string[] => [
  ...new Set(
    addresses
      .map((address) => canonicalAddress(address))
      .filter((address): address is string => address !== undefined && new URL(address).origin === origin),
  ),
]

interface Sitemap {
  pages: string[]
  sitemaps: string[]
}

async function readSitemap(url: string, context: LoaderContext, isFirst: boolean): Promise<Sitemap> {
  const service = `The sitemap ${url}`
  await waitForTurn(url, context)
  const response = await sendRequest(
    { service, url, headers: { 'user-agent': USER_AGENT }, redirect: 'manual', maxBytes: MAX_BYTES },
    context,
  )
  if (!response.ok) {
    response.body?.cancel().catch(() => {})
    if (!isFirst) return { pages: [], sitemaps: [] }
    throw new UnreadableError(`${service} can’t be read (${response.status}). Enter the address of the sitemap itself.`)
  }
  const bytes = await bodyBytes(service, response)
  const xml = await unpacked(bytes, service)
  const sitemap = await parseSitemap(xml)
  if (isFirst && sitemap.pages.length + sitemap.sitemaps.length === 0)
    throw new UnreadableError(`${service} names no pages. Enter the address of a sitemap, or follow links instead.`)
  return sitemap
}

/** @throws UnreadableError when it unpacks to too much */
async function unpacked(bytes: Uint8Array, service: string): Promise<string> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return new TextDecoder().decode(bytes)
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip'))
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let text = ''
  let size = 0
  for (;;) {
    const { value } = await reader.read().catch(() => {
      throw new UnreadableError(`${service} is broken or incomplete.`)
    })
    if (!value) return text + decoder.decode()
    size += value.byteLength
    if (size > MAX_UNPACKED_BYTES) {
      reader.cancel().catch(() => {})
      throw new UnreadableError(`${service} unpacks to more than ${MAX_UNPACKED_BYTES / 1024 ** 2} MB.`)
    }
    text += decoder.decode(value, { stream: true })
  }
}

const CHARS_AT_ONCE = 4000

/** Reads `<loc>` of pages and of further sitemaps, until there are too many or they are nested too deeply. */
async function parseSitemap(xml: string): Promise<Sitemap> {
  const { Parser } = await import('htmlparser2')
  const found: Sitemap = { pages: [], sitemaps: [] }
  const open: string[] = []
  let address: string | undefined
  const isFull = () => found.pages.length + found.sitemaps.length >= MAX_ADDRESSES || open.length > MAX_OPEN
  const parser = new Parser(
    {
      onopentag(name) {
        open.push(name)
        address = name === 'loc' ? '' : undefined
      },
      ontext(text) {
        if (address !== undefined && address.length < MAX_ADDRESS_CHARS) address += text
      },
      onclosetag(name) {
        open.pop()
        if (name !== 'loc' || address === undefined || isFull()) return
        const list = open.at(-1) === 'sitemap' ? found.sitemaps : found.pages
        list.push(address.trim())
        address = undefined
      },
    },
    { xmlMode: true },
  )
  for (let at = 0; at < xml.length && !isFull(); at += CHARS_AT_ONCE) parser.write(xml.slice(at, at + CHARS_AT_ONCE))
  parser.end()
  return found
}
