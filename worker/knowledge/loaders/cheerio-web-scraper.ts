/** Pages of the web: one, those that a site's links lead to, or those of its sitemap. */

import { additionalParam } from '#contract/flow/params/builders.ts'
import { number, text } from '../../inputs/component-config.ts'
import { type LoaderContext, type LoaderType, type SourceContent, type SourceItem, UnreadableError } from '../types.ts'
import { computeHash } from './hash.ts'
import { adjustMetadata, metadataParams } from './metadata.ts'
import { readFetchedFile } from './services/requests.ts'
import { loaderDefinition } from './stored-files.ts'
import { crawlSite, itemOf, MAX_PAGES, startAddress } from './web/crawl.ts'
import { fetchPage, parsePage, readSigns, textOfPage, type Unread, type WebPage } from './web/pages.ts'
import { selectElements } from './web/selector.ts'
import { listSitemap } from './web/sitemap.ts'

const DEFAULT_PAGES = 10

export const cheerioWebScraper: LoaderType = {
  definition: loaderDefinition('Web', {
    label: 'Web Pages',
    name: 'cheerioWebScraper',
    version: 2,
    description: 'Reads a web page, the pages it links to, or the pages in a sitemap',
    hint: 'Sends at most one request per second to a site and follows its robots.txt.',
    inputs: [
      { label: 'URL', name: 'url', type: 'string', placeholder: 'https://example.com/docs' },
      additionalParam('Find further pages', 'relativeLinksMethod', {
        type: 'options',
        description: 'How to find further pages. Leave empty to read only this page',
        options: [
          { label: 'Web crawl', name: 'webCrawl', description: 'Follows links within the site, up to 5 levels deep' },
          { label: 'Scrape XML sitemap', name: 'scrapeXMLSitemap', description: 'Reads the pages of the sitemap' },
        ],
        additionalParams: false,
      }),
      additionalParam('Page limit', 'limit', {
        type: 'number',
        step: 1,
        default: DEFAULT_PAGES,
        description: `Maximum number of pages. 0 reads up to ${MAX_PAGES.toLocaleString('en')}`,
        additionalParams: false,
      }),
      additionalParam('Selector (CSS)', 'selector', {
        description: 'Reads only these parts of each page',
        placeholder: 'main, #content, .article',
      }),
      ...metadataParams,
    ],
  }),
  async list(context, cursor) {
    const { config } = context
    const start = startAddress(text(config, 'url'))
    const call = { context, cursor }
    if (methodOf(config) === 'webCrawl') return crawlSite(start, limitOf(context), call)
    if (methodOf(config) === 'scrapeXMLSitemap') return listSitemap(start, limitOf(context), call)
    return { items: [itemOf(start)] }
  },
  async read(context, item) {
    const isOfSite = methodOf(context.config) !== undefined
    const page = await fetchPage(item.key, context, isOfSite ? new URL(item.key).origin : undefined)
    if (typeof page === 'string') return unread(page, item, context)
    if (page.kind === 'html') return readPage(page, context, isOfSite)
    const name = decodedName(page.address)
    return readFetchedFile(
      page.bytes,
      { name, mime: page.mime },
      { metadata: { source: item.key }, config: context.config },
    )
  },
  describeSource: (config) => text(config, 'url') ?? '',
}

function methodOf(config: LoaderContext['config']): string | undefined {
  const method = text(config, 'relativeLinksMethod')
  return method === 'webCrawl' || method === 'scrapeXMLSitemap' ? method : undefined
}

function limitOf({ config, maxItems }: LoaderContext): number {
  const asked = number(config, 'limit') ?? DEFAULT_PAGES
  return Math.min(asked > 0 ? Math.floor(asked) : MAX_PAGES, MAX_PAGES, maxItems)
}

/** What a crawl skips is no source; what a person named is said to be none. */
function unread(why: Unread, { key }: SourceItem, { config }: LoaderContext): undefined {
  const isNamed = key === startAddress(text(config, 'url'))
  if (why === 'gone' || !isNamed) return undefined
  throw new UnreadableError(REASONS[why])
}

const REASONS = {
  elsewhere: 'This address leads to another site. Enter that address instead.',
  forbidden: 'The robots.txt of this site does not allow to read this address.',
  media: 'This is no text: a picture, a recording or a program. Enter the address of a page.',
}

async function readPage(
  page: WebPage,
  { config }: LoaderContext,
  isOfSite: boolean,
): Promise<SourceContent | undefined> {
  const document = await parsePage(page)
  if (isOfSite && readSigns(document, page).isHidden) return undefined
  const selector = text(config, 'selector')
  const parts = selector === undefined ? undefined : selectElements(document, selector)
  if (parts?.length === 0) throw new UnreadableError(`Nothing on this page matches the selector “${selector}”.`)
  const { title, description, text: written } = textOfPage(document, page.address, parts)
  if (written === '')
    throw new UnreadableError('This page has no text. Pages that are made by scripts in the browser can’t be read.')
  const metadata = { source: page.address, ...(title && { title }), ...(description && { description }) }
  return {
    documents: [
      {
        text: written.replaceAll('\0', '').toWellFormed(),
        format: 'markdown',
        metadata: adjustMetadata(metadata, config),
      },
    ],
    pages: 1,
    hash: await computeHash(written),
  }
}

function decodedName(address: string): string {
  const { pathname } = new URL(address)
  const name = pathname.slice(pathname.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(name) || 'page'
  } catch {
    return name
  }
}
