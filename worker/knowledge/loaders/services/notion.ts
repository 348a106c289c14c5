/** Pages of Notion as Markdown. */
import { text } from '../../../inputs/component-config.ts'
import { type LoaderContext, type SourceContent, type SourceItem, UnreadableError } from '../../types.ts'
import { askForJson, type SourceRequest, textContent } from './requests.ts'

const API = 'https://api.notion.com/v1'
const MAX_DEPTH = 8
/** Requests for the blocks of one page; each answers a hundred. */
const MAX_REQUESTS = 200

interface RichText {
  plain_text?: string
  href?: string | null
}

export interface NotionPage {
  id: string
  url?: string
  archived?: boolean
  in_trash?: boolean
  last_edited_time?: string
  properties?: Record<string, { type: string } & Record<string, unknown>>
}

interface Block {
  id: string
  type: string
  has_children?: boolean
  [kind: string]: unknown
}

export interface NotionList<Entry> {
  results?: Entry[]
  next_cursor?: string | null
  has_more?: boolean
}

export function notionRequest(path: string, { credential }: LoaderContext, body?: unknown): SourceRequest {
  const key = text(credential, 'notionApi')
  if (key === undefined) throw new UnreadableError('Notion: choose a credential')
  const headers: Record<string, string> = { authorization: `Bearer ${key}`, 'notion-version': '2022-06-28' }
  const request = { service: 'Notion', url: `${API}/${path}`, headers }
  if (body === undefined) return request
  headers['content-type'] = 'application/json'
  return { ...request, method: 'POST', body: JSON.stringify(body) }
}

const ID = /([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})$/i

/** Returns the id in a link or an id, with dashes. @throws UnreadableError */
export function notionId(entered: string | undefined): string {
  const path = (entered ?? '').split('?', 1)[0] ?? ''
  const parts = ID.exec(path.slice(-200))
  if (parts) return parts.slice(1).join('-').toLowerCase()
  throw new UnreadableError('Enter the link of the page or database in Notion, or the 32 letters at its end.')
}

export function notionItem({ id, last_edited_time, properties }: NotionPage): SourceItem {
  return { key: id, name: titleOf(properties) || id, version: last_edited_time }
}

export async function readNotionPage(context: LoaderContext, id: string): Promise<SourceContent | undefined> {
  const page = await askForJson<NotionPage>(notionRequest(`pages/${encodeURIComponent(id)}`, context), context)
  if (!page || page.archived || page.in_trash) return undefined
  const title = titleOf(page.properties)
  const budget = { requests: MAX_REQUESTS }
  const parts = [
    title && `# ${title}`,
    propertyLines(page.properties),
    await readBlocks(id, { context, budget, depth: 0 }),
  ]
  const metadata = { source: page.url ?? id, title, id }
  return textContent(parts.filter(Boolean).join('\n\n'), 'markdown', { metadata, config: context.config })
}

interface Reading {
  context: LoaderContext
  budget: { requests: number }
  depth: number
}

async function readBlocks(id: string, reading: Reading): Promise<string> {
  const { context, budget, depth } = reading
  const lines: string[] = []
  let cursor = ''
  do {
    if (--budget.requests < 0) throw new UnreadableError('This page has too many blocks. Divide it.')
    const path = `blocks/${encodeURIComponent(id)}/children?page_size=100${cursor && `&start_cursor=${encodeURIComponent(cursor)}`}`
    const list = await askForJson<NotionList<Block>>(notionRequest(path, context), context)
    for (const block of list?.results ?? []) {
      const line = toMarkdown(block)
      const isPage = block.type === 'child_page' || block.type === 'child_database'
      const inside =
        block.has_children && !isPage && depth < MAX_DEPTH
          ? await readBlocks(block.id, { ...reading, depth: depth + 1 })
          : ''
      const indented = inside === '' ? '' : inside.replace(/^/gm, indentOf(block))
      lines.push([line, indented].filter(Boolean).join('\n'))
    }
    cursor = (list?.has_more && list.next_cursor) || ''
  } while (cursor !== '')
  return lines.filter((line) => line.trim() !== '').join('\n\n')
}

const LISTS: Record<string, string> = { bulleted_list_item: '- ', numbered_list_item: '1. ' }
const HEADINGS: Record<string, string> = { heading_1: '# ', heading_2: '## ', heading_3: '### ' }

const indentOf = ({ type }: Block) => (type in LISTS || type === 'to_do' ? '  ' : '')

function toMarkdown(block: Block): string {
  const { type } = block
  const value = (block[type] ?? {}) as Record<string, unknown>
  const written = richText(value.rich_text)
  if (type in LISTS) return `${LISTS[type]}${written}`
  if (type in HEADINGS) return written && `${HEADINGS[type]}${written}`
  switch (type) {
    case 'to_do':
      return `- [${value.checked === true ? 'x' : ' '}] ${written}`
    case 'quote':
      return written.replace(/^/gm, '> ')
    case 'code':
      return `\`\`\`${String(value.language ?? '')}\n${written}\n\`\`\``
    case 'divider':
      return '---'
    case 'table_row':
      return `| ${(Array.isArray(value.cells) ? value.cells : []).map(richText).join(' | ')} |`
    case 'child_page':
    case 'child_database':
      return String(value.title ?? '')
    case 'bookmark':
    case 'link_preview':
    case 'embed':
      return String(value.url ?? '')
    case 'equation':
      return String(value.expression ?? '')
    default:
      return written || richText(value.caption)
  }
}

function richText(parts: unknown): string {
  if (!Array.isArray(parts)) return ''
  return (parts as RichText[])
    .map(({ plain_text = '', href }) => (href?.startsWith('http') ? `[${plain_text}](${href})` : plain_text))
    .join('')
}

function titleOf(properties: NotionPage['properties'] = {}): string {
  const title = Object.values(properties).find(({ type }) => type === 'title')
  return richText(title?.title)
}

/** The columns of a database, one a line. */
function propertyLines(properties: NotionPage['properties'] = {}): string {
  return Object.entries(properties)
    .filter(([, { type }]) => type !== 'title')
    .map(([name, property]) => [name, plainValue(property[property.type])] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

function plainValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(plainValue).filter(Boolean).join(', ')
  if (typeof value !== 'object') return String(value)
  const { plain_text, name, start, end, type } = value as Record<string, unknown>
  if (typeof plain_text === 'string') return plain_text
  if (typeof name === 'string') return name
  if (typeof start === 'string') return typeof end === 'string' ? `${start} – ${end}` : start
  return typeof type === 'string' && type !== 'rollup' ? plainValue((value as Record<string, unknown>)[type]) : ''
}
