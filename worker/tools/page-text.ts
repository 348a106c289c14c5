/** The readable text of a web page, as Markdown: headings, paragraphs, lists, tables, code and links, without what surrounds them. */
import {
  type Document,
  type Element,
  elementsNamed,
  firstText,
  isElement,
  isText,
  type Node,
  nodesIn,
  textIn,
} from './xml.ts'

export interface PageText {
  title: string
  description: string
  text: string
  /** Absolute http(s) addresses, each once, without the part after `#`. */
  links: string[]
}

const names = (list: string) => new Set(list.split(' '))
const SKIPPED = names(
  'script style noscript template svg canvas iframe object embed form button input select textarea nav aside footer dialog head title',
)
const BLOCKS = names(
  'address article body dd details div dl dt fieldset figcaption figure header hgroup html main p section summary table',
)
const MAX_DEPTH = 300

interface Writer {
  /** What relative links start from. */
  base: string
  /** Code, whose line breaks and spaces stay as they are; in the text its place is marked. */
  code: string[]
}

export function pageText(page: Document, address: string): PageText {
  const base = absolute(elementsNamed(page, 'base')[0]?.attribs.href, address) ?? address
  const writer: Writer = { base, code: [] }
  const text = tidy(writeAll(mainPart(page), writer, 0))
  return {
    title: firstText(page, 'title') || firstText(page, 'h1'),
    description: metaOf(page, ['description', 'og:description', 'twitter:description']),
    text: text.replace(/\uE000(\d+)\uE001/g, (_, at) => writer.code[Number(at)] ?? ''),
    links: linksOf(page, base),
  }
}

/** What the page says is its main part; else the one article; else all of it. */
function mainPart(page: Document): Node[] {
  const [main] = elementsNamed(page, 'main')
  if (main && textIn(main)) return [main]
  const [article, ...others] = elementsNamed(page, 'article')
  return article && others.length === 0 && textIn(article) ? [article] : page.children
}

function metaOf(page: Document, wanted: string[]): string {
  const metas = elementsNamed(page, 'meta').map(({ attribs }) => attribs)
  const contents = wanted.map(
    (name) => metas.find((meta) => (meta.name ?? meta.property)?.toLowerCase() === name)?.content?.trim() ?? '',
  )
  return contents.find(Boolean) ?? ''
}

function linksOf(page: Document, base: string): string[] {
  const links = elementsNamed(page, 'a').flatMap(({ attribs }) => absolute(attribs.href, base) ?? [])
  return [...new Set(links.map((link) => link.replace(/#.*$/, '')))]
}

const writeAll = (nodes: Node[], writer: Writer, depth: number): string =>
  nodes.map((node) => write(node, writer, depth)).join('')

/** Blocks come with empty lines around them; `tidy` takes away those that are too many. */
function write(node: Node, writer: Writer, depth: number): string {
  if (isText(node)) return node.data.replace(/[\s\uE000\uE001]+/g, ' ')
  if (!isElement(node) || SKIPPED.has(node.name) || isHidden(node) || depth > MAX_DEPTH) return ''
  const inside = () => writeAll(node.children, writer, depth + 1)
  switch (node.name) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return heading(Number(node.name[1]), oneLine(inside()))
    case 'a':
      return link(node, oneLine(inside()), writer.base)
    case 'br':
      return '\n'
    case 'hr':
      return block('---')
    case 'img':
      return node.attribs.alt?.trim() ? `[image: ${oneLine(node.attribs.alt)}]` : ''
    case 'strong':
    case 'b':
      return marked(inside(), '**')
    case 'code':
      return marked(inside(), '`')
    case 'pre':
      return codeBlock(node, writer)
    case 'ul':
    case 'ol':
      return block(list(node, writer, depth))
    case 'blockquote':
      return block(tidy(inside()).replace(/^/gm, '> '))
    case 'tr':
      return `\n${row(node, writer, depth)}`
    default:
      return BLOCKS.has(node.name) ? block(inside()) : inside()
  }
}

const block = (text: string) => `\n\n${text}\n\n`
const heading = (level: number, text: string) => (text ? block(`${'#'.repeat(level)} ${text}`) : '')
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const marked = (text: string, mark: string) =>
  text.trim() ? text.replace(/^(\s*)([\s\S]*?)(\s*)$/, `$1${mark}$2${mark}$3`) : text

function isHidden({ attribs }: Element): boolean {
  return 'hidden' in attribs || attribs['aria-hidden'] === 'true' || /display:\s*none/i.test(attribs.style ?? '')
}

/** A link that leads out of the page keeps its address. */
function link({ attribs }: Element, text: string, base: string): string {
  const address = attribs.href?.startsWith('#') ? undefined : absolute(attribs.href, base)
  return address && text ? `[${text}](${address})` : text
}

function list({ name, children }: Element, writer: Writer, depth: number): string {
  const items = children.filter(isElement).map((item) => tidy(writeAll(item.children, writer, depth + 1)))
  return items
    .filter(Boolean)
    .map((item, index) => `${name === 'ol' ? `${index + 1}.` : '-'} ${item.replace(/\n+(?=.)/g, '\n  ')}`)
    .join('\n')
}

function row(node: Element, writer: Writer, depth: number): string {
  const cells = node.children.filter(isElement)
  const texts = cells.map(({ children }) => oneLine(writeAll(children, writer, depth + 1)).replaceAll('|', '\\|'))
  const line = `| ${texts.join(' | ')} |`
  const isHead = cells.length > 0 && cells.every(({ name }) => name === 'th')
  return isHead ? `${line}\n|${' --- |'.repeat(cells.length)}` : line
}

function codeBlock(node: Element, { code }: Writer): string {
  const texts = [...nodesIn(node)].map((each) => (isText(each) ? each.data : isBreak(each) ? '\n' : ''))
  code.push(`\`\`\`\n${texts.join('').replace(/^\n/, '').trimEnd()}\n\`\`\``)
  return block(`\uE000${code.length - 1}\uE001`)
}

const isBreak = (node: Node) => isElement(node) && node.name === 'br'

/** No spaces around line breaks but those that indent a list, and one empty line at most. */
function tidy(text: string): string {
  return text
    .replace(/ +(?=\n)/g, '')
    .replace(/\n (?! )/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Undefined for what is not a page: mail addresses, scripts, nonsense. */
function absolute(href: string | undefined, base: string): string | undefined {
  const address = href === undefined ? null : URL.parse(href, base)
  return address && /^https?:$/.test(address.protocol) ? address.href : undefined
}
