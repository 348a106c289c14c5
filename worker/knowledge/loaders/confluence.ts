/** The pages of a Confluence space. A page is read again when its version has changed. */
import { connectCredential } from '#contract/flow/params/builders.ts'
import { number, text } from '../../inputs/component-config.ts'
import { htmlAsMarkdown } from '../readers/html.ts'
import { type LoaderContext, type LoaderType, type SourcePart, UnreadableError } from '../types.ts'
import { metadataParams } from './metadata.ts'
import { confluenceCloudApi } from './services/credentials.ts'
import { askForJson, needJson, textContent } from './services/requests.ts'
import { loaderDefinition } from './stored-files.ts'

const SERVICE = 'Confluence'
const PAGES_PER_PART = 100

export const confluence: LoaderType = {
  definition: loaderDefinition('Apps and storage', {
    label: 'Confluence',
    name: 'confluence',
    version: 1,
    description: 'Reads the pages in a Confluence space',
    credential: connectCredential(confluenceCloudApi),
    inputs: [
      { label: 'Base URL', name: 'baseUrl', type: 'string', placeholder: 'https://example.atlassian.net/wiki' },
      {
        label: 'Space key',
        name: 'spaceKey',
        type: 'string',
        placeholder: 'DOCS',
        description: 'The part of the space’s URL after /spaces/',
      },
      {
        label: 'Limit',
        name: 'limit',
        type: 'number',
        default: 0,
        optional: true,
        description: 'Maximum number of pages. 0 reads all',
      },
      ...metadataParams,
    ],
  }),
  credential: confluenceCloudApi,
  list: listPages,
  async read(context, { key }) {
    const base = parseBase(context.config)
    const url = `${base}/rest/api/content/${encodeURIComponent(key)}?expand=body.storage,version,space`
    const page = await askForJson<Page>({ service: SERVICE, url, headers: requireHeaders(context) }, context)
    if (!page || page.status === 'trashed') return undefined
    const { text: written } = await htmlAsMarkdown(withCode(page.body?.storage?.value ?? ''), base)
    const source = page._links?.webui ? `${base}${page._links.webui}` : url
    const title = page.title ?? ''
    const metadata = { source, title, id: key, ...(page.space?.key && { space: page.space.key }) }
    const content = written && title ? `# ${title}\n\n${written}` : written
    return textContent(content, 'markdown', { metadata, config: context.config })
  },
  describeSource: (config) => `${text(config, 'baseUrl') ?? ''} ${text(config, 'spaceKey') ?? ''}`.trim(),
}

interface Page {
  id: string
  title?: string
  status?: string
  version?: { number?: number }
  space?: { key?: string }
  body?: { storage?: { value?: string } }
  _links?: { webui?: string }
}

interface PageList {
  results?: Page[]
  _links?: { next?: string }
}

/** @param cursor the number of pages before this part */
async function listPages(context: LoaderContext, cursor?: string): Promise<SourcePart> {
  const { config, maxItems } = context
  const spaceKey = text(config, 'spaceKey') ?? ''
  if (!/^[~\w.-]{1,255}$/.test(spaceKey)) throw new UnreadableError('Enter the key of the space, such as DOCS.')
  const limit = Math.min(number(config, 'limit') || maxItems, maxItems)
  const start = Number(cursor ?? 0)
  const query = new URLSearchParams({
    ...{ spaceKey, type: 'page', status: 'current', expand: 'version' },
    ...{ start: String(start), limit: String(PAGES_PER_PART) },
  })
  const url = `${parseBase(config)}/rest/api/content?${query}`
  const { results = [], _links } = await needJson<PageList>(
    { service: SERVICE, url, headers: requireHeaders(context) },
    context,
    `Confluence knows no space ${spaceKey}. Check the base URL, which ends with /wiki in Confluence Cloud, and what the token may read.`,
  )
  const items = results.slice(0, Math.max(limit - start, 0)).map(({ id, title, version }) => ({
    key: String(id),
    name: title ?? String(id),
    version: version && String(version.number),
  }))
  const end = start + results.length
  return _links?.next && results.length > 0 && end < limit ? { items, cursor: String(end) } : { items }
}

function parseBase(config: Record<string, unknown>): string {
  const entered = text(config, 'baseUrl') ?? ''
  const url = URL.parse(entered)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UnreadableError(
      `“${entered.slice(0, 200)}” is not an address. Use one like https://example.atlassian.net/wiki`,
    )
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname
  return `${url.origin}${path}`
}

/** Confluence Cloud wants a name and a token, Confluence Data Center a token. */
function requireHeaders({ credential }: LoaderContext): Record<string, string> {
  const token = text(credential, 'accessToken')
  if (token === undefined) throw new UnreadableError('Confluence: choose a credential')
  const username = text(credential, 'username')
  if (username === undefined) return { authorization: `Bearer ${token}` }
  return { authorization: `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${username}:${token}`)))}` }
}

/** Code stands in CDATA, which HTML does not know. */
function withCode(storage: string): string {
  const [first = '', ...rest] = storage.split('<![CDATA[')
  const parts = rest.map((part) => {
    const end = part.indexOf(']]>')
    const code = end === -1 ? part : part.slice(0, end)
    const escaped = code.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    return `<pre>${escaped}</pre>${end === -1 ? '' : part.slice(end + 3)}`
  })
  return first + parts.join('')
}
