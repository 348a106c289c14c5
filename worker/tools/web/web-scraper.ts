/** Reads the text of a web page, the pages it links to, or the pages in a sitemap. */

import { additionalParam } from '#contract/flow/params/builders.ts'
import { number, text } from '../../inputs/component-config.ts'
import { bounded, callService, type Network } from '../../providers/json-api.ts'
import { decodePage } from '../../text/decoded-page.ts'
import { type HtmlText, htmlToText } from '../../text/html-to-text.ts'
import { elementsNamed, parseHtml, parseXml, textIn } from '../../text/xml.ts'
import { toolDefinition } from '../definition.ts'
import type { ToolType } from '../types.ts'

const DESCRIPTION =
  'Reads a web page and returns its readable text as Markdown, with its links. The input is the full URL of the page.'
const MAX_PAGES = 10
const MOST_PAGES = 100
const TIMEOUT_SECONDS = 60
const PAGE_CHARS = 20_000
const ALL_CHARS = 60_000

export const webScraper: ToolType = {
  definition: toolDefinition({
    label: 'Web Page Reader',
    name: 'webScraperTool',
    type: 'Tool',
    version: 1.1,
    description: 'Reads the text of a web page, the pages it links to, or the pages in a sitemap',
    hint: `Returns Markdown, up to ${PAGE_CHARS} characters per page. Follows only links to the same site.`,
    inputs: [
      {
        label: 'Scraping mode',
        name: 'scrapeMode',
        type: 'options',
        options: [
          { label: 'Recursive link following', name: 'recursive' },
          { label: 'Sitemap', name: 'sitemap' },
        ],
        default: 'recursive',
        description: 'How to find more pages: by links, or by the site’s sitemap.xml (falls back to links)',
        additionalParams: true,
      },
      additionalParam('Max depth', 'maxDepth', {
        type: 'number',
        default: 1,
        placeholder: '1',
        description: '1 reads only the page, 2 also the pages it links to, and so on',
      }),
      additionalParam('Max pages', 'maxPages', {
        type: 'number',
        default: MAX_PAGES,
        placeholder: String(MAX_PAGES),
        description: `Maximum number of pages per call, up to ${MOST_PAGES}`,
      }),
      additionalParam('Timeout (s)', 'timeoutS', {
        type: 'number',
        default: TIMEOUT_SECONDS,
        placeholder: String(TIMEOUT_SECONDS),
        description: 'Timeout per page in seconds',
      }),
      additionalParam('Tool description', 'description', {
        rows: 4,
        placeholder: DESCRIPTION,
        description: 'Tells the model when to use the tool',
      }),
    ],
  }),
  open({ config, egress, signal }) {
    const reader: Reader = {
      egress,
      signal,
      timeoutMs: Math.min(number(config, 'timeoutS') || TIMEOUT_SECONDS, TIMEOUT_SECONDS) * 1000,
      maxDepth: number(config, 'maxDepth') || 1,
      maxPages: Math.min(Math.max(number(config, 'maxPages') || MAX_PAGES, 1), MOST_PAGES),
    }
    const isSitemap = text(config, 'scrapeMode') === 'sitemap'
    return [
      {
        name: 'web_scraper_tool',
        description: text(config, 'description') ?? DESCRIPTION,
        parameters: {
          type: 'object',
          properties: { input: { type: 'string', description: 'The URL, starting with https://' } },
          required: ['input'],
          additionalProperties: false,
        },
        hasEffect: false,
        async call({ input }) {
          const address = String(input).trim()
          if (!URL.canParse(address))
            throw new Error(`"${address}" is not a valid URL. Use an address that starts with https://`)
          const listed = isSitemap ? await readSitemap(address, reader) : []
          const pages = listed.length > 0 ? await readAll(listed, reader) : await readFrom(address, reader)
          return bounded(pages.map(formatPage).join('\n\n---\n\n'), ALL_CHARS)
        },
      },
    ]
  },
}

interface Reader extends Network {
  timeoutMs: number
  maxDepth: number
  maxPages: number
}

type Page = { address: string } & (HtmlText | { error: string })

/** Reads pages level by level. Throws if the first page can't be read; errors of other pages appear in their place. */
async function readFrom(address: string, reader: Reader): Promise<Page[]> {
  const first = await readPage(address, reader)
  const pages: Page[] = [first]
  const seen = new Set([address, first.address])
  let level: Page[] = pages
  for (let depth = 2; depth <= reader.maxDepth && level.length > 0; depth++) {
    const links = level.flatMap((page) => ('links' in page ? page.links : []))
    const fresh = [...new Set(links)].filter((link) => !seen.has(link) && isSameSite(link, first.address))
    const next = fresh.slice(0, reader.maxPages - pages.length)
    for (const link of next) seen.add(link)
    level = await readAll(next, reader)
    pages.push(...level)
  }
  return pages
}

const isSameSite = (link: string, address: string) => new URL(link).host === new URL(address).host

function readAll(addresses: string[], reader: Reader): Promise<Page[]> {
  return Promise.all(
    addresses.map(async (address): Promise<Page> => {
      try {
        return await readPage(address, reader)
      } catch (error) {
        reader.signal.throwIfAborted()
        return { address, error: error instanceof Error ? error.message : String(error) }
      }
    }),
  )
}

/** Returns the page with its final URL. @throws Error when the response is not text */
async function readPage(asked: string, reader: Reader): Promise<{ address: string } & HtmlText> {
  const response = await fetchPage(asked, reader)
  const address = response.url || asked
  const type = response.headers.get('content-type')?.toLowerCase() ?? 'text/html'
  if (!TEXT_TYPES.test(type)) {
    response.body?.cancel().catch(() => {})
    throw new Error(`${address} is not a text page but ${type}`)
  }
  const written = decodePage(await response.arrayBuffer(), type)
  const page = /html/.test(type)
    ? htmlToText(await parseHtml(written), address)
    : { title: '', description: '', text: written.trim(), links: [] }
  return { ...page, address, text: bounded(page.text, PAGE_CHARS) }
}

const TEXT_TYPES = /^text\/|[/+-](json|xml|yaml|javascript)\b/
const fetchPage = (address: string, reader: Reader) =>
  callService(
    {
      service: URL.parse(address)?.host ?? address,
      url: address,
      headers: { accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5' },
      timeoutMs: reader.timeoutMs,
    },
    reader,
  )

/** Returns the pages in the site's sitemap, or an empty list if it has none. */
async function readSitemap(address: string, reader: Reader): Promise<string[]> {
  try {
    const response = await fetchPage(new URL('/sitemap.xml', address).href, reader)
    const places = elementsNamed(await parseXml(await response.text()), 'loc').map(textIn)
    return places.filter((place) => URL.canParse(place) && isSameSite(place, address)).slice(0, reader.maxPages)
  } catch {
    reader.signal.throwIfAborted()
    return []
  }
}

function formatPage(page: Page): string {
  if ('error' in page) return `${page.address}\n\nCould not read this page: ${page.error}`
  const { address, title, description, text } = page
  const head = [title && `# ${title}`, address, description].filter(Boolean).join('\n')
  return `${head}\n\n${text || '(no text)'}`
}
