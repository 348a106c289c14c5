/** Finds the pages of a site by its links, breadth first. A crawl is plain JSON, so that it goes on wherever it stopped. */
import { type LoaderContext, type SourceItem, type SourcePart, UnreadableError } from '../../types.ts'
import { mayRead } from './crawl-rate.ts'
import { isMedia } from './media.ts'
import { canonicalAddress, fetchPage, findRedirect, parsePage, readSigns } from './pages.ts'

export const MAX_PAGES = 1000
const MAX_DEPTH = 5
/** Addresses that are remembered, also of those that turn out not to be pages. It ends calendars without an end. */
const MAX_KNOWN = 3000
const MAX_KNOWN_CHARS = 400_000
/** Pages of one part, and how long it may take. */
const PART_PAGES = 8
const PART_CHECKS = 200
const PART_MS = 30_000

interface Crawl {
  /** Origin. */
  site: string
  /** In the order in which they were found, with the number of links that lead there. */
  pages: [address: string, depth: number][]
  /** How many of them are done. */
  done: number
  /** How many of them are sources. */
  taken: number
}

export async function crawlSite(start: string, limit: number, { context, cursor }: CrawlCall): Promise<SourcePart> {
  const crawl = cursor === undefined ? await beginCrawl(start, context) : (JSON.parse(cursor) as Crawl)
  const items: SourceItem[] = []
  const until = context.clock.now().getTime() + PART_MS
  let fetched = 0
  for (let checked = 0; checked < PART_CHECKS && fetched < PART_PAGES; checked++) {
    const page = crawl.pages[crawl.done]
    if (!page || crawl.taken >= limit || context.clock.now().getTime() > until) break
    // Its links are needed only while too few pages are known.
    const looksInside = page[1] < MAX_DEPTH && crawl.taken + crawl.pages.length - crawl.done < limit
    const item = looksInside ? await visit(page, crawl, context) : await readAddress(page, context)
    if (looksInside) fetched += 1
    if (item) items.push(item)
    crawl.taken += item ? 1 : 0
    crawl.done += 1
  }
  const isOver = crawl.done >= crawl.pages.length || crawl.taken >= limit
  return isOver ? { items } : { items, cursor: JSON.stringify(crawl) }
}

interface CrawlCall {
  context: LoaderContext
  cursor: string | undefined
}

async function beginCrawl(start: string, context: LoaderContext): Promise<Crawl> {
  await assertAllowed(start, context)
  const moved = await findRedirect(start, context)
  if (moved && !isSameName(moved, start))
    throw new UnreadableError(`${new URL(start).host} leads to another site. Enter ${moved} instead.`)
  const address = moved ?? start
  await assertAllowed(address, context)
  return { site: new URL(address).origin, pages: [[address, 0]], done: 0, taken: 0 }
}

async function assertAllowed(address: string, context: LoaderContext): Promise<void> {
  if (await mayRead(address, context)) return
  throw new UnreadableError(`The robots.txt of ${new URL(address).host} does not allow to read this address.`)
}

/** Sites lead from http to https and between their name with and without www. */
function isSameName(one: string, other: string): boolean {
  const nameOf = (address: string) => new URL(address).hostname.replace(/^www\./, '')
  return nameOf(one) === nameOf(other)
}

async function readAddress([address]: Crawl['pages'][number], context: LoaderContext): Promise<SourceItem | undefined> {
  return (await mayRead(address, context)) ? itemOf(address) : undefined
}

/** Adds the links of a page. Returns undefined when it is no source. */
async function visit([asked, depth]: Crawl['pages'][number], crawl: Crawl, context: LoaderContext) {
  try {
    const page = await fetchPage(asked, context, crawl.site)
    if (typeof page === 'string') return depth === 0 ? itemOf(asked) : undefined
    const isKnown = page.address !== asked && crawl.pages.some(([address]) => address === page.address)
    if (isKnown) return undefined
    const item = { ...itemOf(page.address), mime: page.mime, size: page.bytes.length, version: page.version }
    if (page.kind === 'file') return item
    const { canonical = page.address, isHidden, links } = readSigns(await parsePage(page), page)
    addPages(crawl, links, depth + 1)
    if (canonical === page.address) return isHidden ? undefined : item
    addPages(crawl, [canonical], depth)
    return undefined
  } catch (error) {
    // Reading it as a source says why it cannot be read.
    if (error instanceof UnreadableError && depth > 0) return itemOf(asked)
    throw error
  }
}

function addPages(crawl: Crawl, addresses: string[], depth: number): void {
  const known = new Set(crawl.pages.map(([address]) => address))
  let chars = crawl.pages.reduce((sum, [address]) => sum + address.length, 0)
  for (const address of addresses) {
    if (known.has(address) || isMedia(new URL(address).pathname, true)) continue
    chars += address.length
    if (known.size >= MAX_KNOWN || chars > MAX_KNOWN_CHARS) return
    known.add(address)
    crawl.pages.push([address, depth])
  }
}

export function itemOf(address: string): SourceItem {
  const { host, pathname, search } = new URL(address)
  return { key: address, name: pathname === '/' && !search ? host : `${pathname}${search}` }
}

/** Returns the address that a person entered. @throws UnreadableError */
export function startAddress(entered: string | undefined): string {
  const address = canonicalAddress(entered ?? '')
  if (address) return address
  throw new UnreadableError(
    `“${(entered ?? '').slice(0, 200)}” is not an address. Use one like https://example.com/docs`,
  )
}
