/** Fetches pages of the web and understands what they say about themselves. */

import { decodePage } from '../../../text/decoded-page.ts'
import { htmlToText } from '../../../text/html-to-text.ts'
import { type Document, elementsNamed, parseWholeHtml } from '../../../text/xml.ts'
import { type LoaderContext, UnreadableError } from '../../types.ts'
import { bodyBytes, FILE_BYTES, type SourceRequest, sendRequest } from '../services/requests.ts'
import { mayRead, USER_AGENT, waitForTurn } from './crawl-rate.ts'

export interface WebPage {
  address: string
  kind: 'html' | 'file'
  mime: string
  bytes: Uint8Array
  /** Changes with the page, where its server says so. */
  version?: string
  /** Not to be found by searches. */
  isHidden: boolean
  hidesLinks: boolean
}

/** The reason why an address is not read. */
export type Unread = 'gone' | 'elsewhere' | 'forbidden' | 'media'

const MAX_REDIRECTS = 5
const MAX_ADDRESS = 1000
const HTML_LIMITS = { chars: 5_000_000, elements: 100_000 }

/** Parameters that say where a visitor came from, not which page it is. */
const TRACKING = /^(utm_\w{1,40}|fbclid|gclid|msclkid|mc_[ce]id)$/

/** Returns the address as all of its spellings have it; undefined for what is no page of the web. */
export function canonicalAddress(href: string, base?: string): string | undefined {
  const url = href.length > MAX_ADDRESS ? null : URL.parse(href.trim(), base)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  url.hash = ''
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name)
  return url.href.length > MAX_ADDRESS ? undefined : url.href
}

/**
 * Fetches one page. Of a site, each redirect is asked for like a page of its own, and none may leave the site.
 * @param site origin @throws UnreadableError
 */
export async function fetchPage(asked: string, context: LoaderContext, site?: string): Promise<WebPage | Unread> {
  let address = asked
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (site !== undefined && !(await mayRead(address, context))) return 'forbidden'
    await waitForTurn(address, context)
    const response = await sendPageRequest(address, context, site === undefined ? 'follow' : 'manual')
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
    if (location === null) return readPage(response, site === undefined ? response.url || address : address)
    response.body?.cancel().catch(() => {})
    const next = canonicalAddress(location, address)
    if (!next || new URL(next).origin !== site) return 'elsewhere'
    address = next
  }
  throw new UnreadableError(`${hostOf(asked)} redirects more than ${MAX_REDIRECTS} times.`)
}

/** Returns where an address leads to, when it is not a page itself. */
export async function findRedirect(address: string, context: LoaderContext): Promise<string | undefined> {
  await waitForTurn(address, context)
  const response = await sendPageRequest(address, context, 'manual')
  response.body?.cancel().catch(() => {})
  const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
  return location === null ? undefined : canonicalAddress(location, address)
}

const hostOf = (address: string) => URL.parse(address)?.host ?? 'The address'

function sendPageRequest(url: string, context: LoaderContext, redirect: SourceRequest['redirect']): Promise<Response> {
  const headers = { accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5', 'user-agent': USER_AGENT }
  return sendRequest({ service: hostOf(url), url, headers, redirect, maxBytes: FILE_BYTES }, context)
}

async function readPage(response: Response, address: string): Promise<WebPage | Unread> {
  const { status, headers } = response
  const mime = (headers.get('content-type') ?? 'text/html').toLowerCase()
  const kind = kindOf(mime)
  if (!response.ok || !kind) response.body?.cancel().catch(() => {})
  if (status === 404 || status === 410) return 'gone'
  if (!response.ok) throw new UnreadableError(`${hostOf(address)} responded with ${status}. Open the page to see why.`)
  if (!kind) return 'media'
  const rules = headerRules(headers.get('x-robots-tag') ?? '')
  const version = headers.get('etag') ?? headers.get('last-modified') ?? undefined
  const bytes = await bodyBytes(hostOf(address), response)
  return { address, kind, mime, bytes, version, isHidden: rules.has('noindex'), hidesLinks: rules.has('nofollow') }
}

const DOCUMENTS =
  /^text\/|[/+-](json|xml|yaml)\b|^application\/(pdf|epub|msword|vnd\.(openxmlformats|oasis)|octet-stream|x-ndjson|jsonl)/

function kindOf(mime: string): WebPage['kind'] | undefined {
  if (/^(text\/html|application\/xhtml)/.test(mime)) return 'html'
  return DOCUMENTS.test(mime) ? 'file' : undefined
}

/** Rules may be meant for one robot: `otherbot: noindex`. */
function headerRules(header: string): Set<string> {
  const rules = header
    .toLowerCase()
    .split(',')
    .flatMap((part) => {
      const [first = '', second] = part.split(':').map((word) => word.trim())
      if (second === undefined) return [first]
      return first === USER_AGENT.toLowerCase() ? [second] : []
    })
  return withNone(rules)
}

const withNone = (rules: string[]) => new Set(rules.includes('none') ? ['noindex', 'nofollow'] : rules)

/** @throws UnreadableError when the page is too long or nested too deeply */
export async function parsePage({ bytes, mime }: WebPage): Promise<Document> {
  const html = decodePage(bytes as Uint8Array<ArrayBuffer>, mime)
  const page = await parseWholeHtml(html, HTML_LIMITS)
  if (page) return page
  throw new UnreadableError('This page is too long or nested too deeply. Save its text as Markdown and send that file.')
}

export function textOfPage(page: Document, address: string, parts?: Document['children']) {
  return htmlToText(page, address, { maxChars: HTML_LIMITS.chars, parts })
}

interface PageSigns {
  /** What the page calls itself, on the same site. */
  canonical?: string
  isHidden: boolean
  /** Addresses on the same site that it does not tell robots to leave alone. */
  links: string[]
}

const MAX_LINKS = 1000

/** Returns what a crawl needs to know of a page. */
export function readSigns(page: Document, { address, isHidden, hidesLinks }: WebPage): PageSigns {
  const { origin } = new URL(address)
  const base = canonicalAddress(elementsNamed(page, 'base')[0]?.attribs.href ?? address, address) ?? address
  const onSite = (href: string | undefined) => {
    const link = href === undefined ? undefined : canonicalAddress(href, base)
    return link && new URL(link).origin === origin ? link : undefined
  }
  const metas = elementsNamed(page, 'meta').filter(({ attribs }) =>
    ['robots', USER_AGENT.toLowerCase()].includes(attribs.name?.toLowerCase() ?? ''),
  )
  const rules = withNone(metas.flatMap(({ attribs }) => wordsOf(attribs.content)))
  const links = new Set<string>()
  for (const { attribs } of hidesLinks || rules.has('nofollow') ? [] : elementsNamed(page, 'a')) {
    const link = wordsOf(attribs.rel).includes('nofollow') ? undefined : onSite(attribs.href)
    if (link) links.add(link)
    if (links.size === MAX_LINKS) break
  }
  const named = elementsNamed(page, 'link').find(({ attribs }) => wordsOf(attribs.rel).includes('canonical'))
  return { canonical: onSite(named?.attribs.href), isHidden: isHidden || rules.has('noindex'), links: [...links] }
}

const wordsOf = (text = '') => text.toLowerCase().split(/[\s,]/).filter(Boolean)
