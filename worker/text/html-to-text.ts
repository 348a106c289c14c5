/**
 * The readable text of a web page, as Markdown: headings, paragraphs, lists, tables, code and links, without what
 * surrounds them. Pages are untrusted, so output is bounded and every step is linear in the page's size.
 */
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

export interface HtmlText {
  title: string
  description: string
  text: string
  /** Unique absolute http(s) URLs without fragments. */
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
/** Length of the text, including code and URLs, unless a caller allows more. */
const MAX_CHARS = 60_000
/** Nesting depth up to which lists and quotes are indented. */
const MAX_INDENTS = 9
/** Bounds URLs, because a long base URL would repeat in every link. */
const MAX_ADDRESS = 2_000
const MAX_LINKS = 1_000
const MAX_TITLE = 500
const MAX_DESCRIPTION = 2_000

/** The state of the output. */
interface Writer {
  /** Base URL of relative links. */
  base: string
  /** Code blocks, whose whitespace is preserved. The text contains placeholders. */
  code: string[]
  /** Characters left in the budget. */
  room: number
  /** True at the start of a line and after a space, where another space is dropped. */
  isSpaced: boolean
  indents: number
}

interface TextOptions {
  maxChars?: number
  /** The elements whose text is wanted, instead of the main part. */
  parts?: Node[]
}

export function htmlToText(page: Document, address: string, options: TextOptions = {}): HtmlText {
  const { maxChars = MAX_CHARS, parts = mainPart(page) } = options
  const base = absolute(elementsNamed(page, 'base')[0]?.attribs.href, address) ?? address
  const writer: Writer = { base, code: [], room: maxChars, isSpaced: true, indents: 0 }
  const text = tidy(writeAll(parts, writer, 0))
  return {
    title: (firstText(page, 'title') || firstText(page, 'h1')).slice(0, MAX_TITLE),
    description: metaOf(page, ['description', 'og:description', 'twitter:description']).slice(0, MAX_DESCRIPTION),
    text: text.replace(/\uE000(\d+)\uE001/g, (_, at) => writer.code[Number(at)] ?? ''),
    links: listLinks(page, base),
  }
}

/** Returns the `main` element, else the only `article`, else the whole page. */
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

function listLinks(page: Document, base: string): string[] {
  const links = new Set<string>()
  for (const { attribs } of elementsNamed(page, 'a')) {
    const [link] = absolute(attribs.href, base)?.split('#', 1) ?? []
    if (link) links.add(link)
    if (links.size === MAX_LINKS) break
  }
  return [...links]
}

const writeAll = (nodes: Node[], writer: Writer, depth: number): string =>
  nodes.map((node) => write(node, writer, depth)).join('')

/** Surrounds blocks with empty lines; `tidy` removes surplus ones. */
function write(node: Node, writer: Writer, depth: number): string {
  if (writer.room === 0) return ''
  if (isText(node)) return words(node.data, writer)
  if (!isElement(node) || SKIPPED.has(node.name) || isHidden(node) || depth > MAX_DEPTH) return ''
  const inside = () => writeAll(node.children, writer, depth + 1)
  switch (node.name) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return heading(Number(node.name[1]), line(inside, writer), writer)
    case 'a':
      return link(node, line(inside, writer), writer)
    case 'br':
      return lineBreak(writer)
    case 'hr':
      return block('---', writer)
    case 'img':
      return image(node, writer)
    case 'strong':
    case 'b':
      return marked(inside(), '**')
    case 'code':
      return marked(inside(), '`')
    case 'pre':
      return codeBlock(node, writer)
    case 'ul':
    case 'ol':
      return indented(writer, () => list(node, writer, depth)) ?? block(inside, writer)
    case 'blockquote':
      return indented(writer, () => tidy(inside()).replace(/^/gm, '> ')) ?? block(inside, writer)
    case 'tr':
      return lineBreak(writer) + row(node, writer, depth)
    default:
      return BLOCKS.has(node.name) ? block(inside, writer) : inside()
  }
}

/** Truncates text to the remaining budget. */
function allowed(text: string, writer: Writer): string {
  const taken = text.slice(0, writer.room)
  writer.room -= taken.length
  return taken
}

/** Collapses whitespace, also across elements. */
function words(text: string, writer: Writer): string {
  const joined = text.replace(/[\s\uE000\uE001]+/g, ' ')
  const shown = writer.isSpaced && joined.startsWith(' ') ? joined.slice(1) : joined
  if (shown !== '') writer.isSpaced = shown.endsWith(' ')
  return allowed(shown, writer)
}

function lineBreak(writer: Writer): string {
  writer.isSpaced = true
  return '\n'
}

/** Returns the content on one line, for inline positions. */
function line(inside: () => string, writer: Writer): string {
  const wasSpaced = writer.isSpaced
  const text = oneLine(inside())
  writer.isSpaced = text === '' && wasSpaced
  return text
}

function block(content: string | (() => string), writer: Writer): string {
  writer.isSpaced = true
  const text = typeof content === 'string' ? content : content()
  writer.isSpaced = true
  return `\n\n${text}\n\n`
}

/** Returns an indented block, or undefined when it would be nested too deep. */
function indented(writer: Writer, content: () => string): string | undefined {
  if (writer.indents === MAX_INDENTS) return undefined
  writer.indents += 1
  const text = block(content, writer)
  writer.indents -= 1
  return text
}

const heading = (level: number, text: string, writer: Writer) =>
  text ? block(`${'#'.repeat(level)} ${text}`, writer) : ''
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Puts marks directly around the text, outside of which spaces stay. */
function marked(text: string, mark: string): string {
  const bare = text.trim()
  if (bare === '') return text
  const start = text.length - text.trimStart().length
  return `${text.slice(0, start)}${mark}${bare}${mark}${text.slice(start + bare.length)}`
}

function isHidden({ attribs }: Element): boolean {
  return 'hidden' in attribs || attribs['aria-hidden'] === 'true' || /display:\s*none/i.test(attribs.style ?? '')
}

function image({ attribs }: Element, writer: Writer): string {
  const alt = oneLine(attribs.alt ?? '')
  if (alt === '') return ''
  writer.isSpaced = false
  return `[image: ${allowed(alt, writer)}]`
}

/** Keeps the URL of links that leave the page. */
function link({ attribs }: Element, text: string, writer: Writer): string {
  const address = attribs.href?.startsWith('#') ? undefined : absolute(attribs.href, writer.base)
  return address && text ? `[${text}](${allowed(address, writer)})` : text
}

function list({ name, children }: Element, writer: Writer, depth: number): string {
  const items = children.filter(isElement).map((item) => {
    writer.isSpaced = true
    return tidy(writeAll(item.children, writer, depth + 1))
  })
  return items
    .filter(Boolean)
    .map((item, index) => `${name === 'ol' ? `${index + 1}.` : '-'} ${item.replace(/\n+/g, '\n  ')}`)
    .join('\n')
}

function row(node: Element, writer: Writer, depth: number): string {
  const cells = node.children.filter(isElement)
  const texts = cells.map(({ children }) => {
    writer.isSpaced = true
    return oneLine(writeAll(children, writer, depth + 1)).replaceAll('|', '\\|')
  })
  writer.isSpaced = true
  const line = `| ${texts.join(' | ')} |`
  const isHead = cells.length > 0 && cells.every(({ name }) => name === 'th')
  return isHead ? `${line}\n|${' --- |'.repeat(cells.length)}` : line
}

function codeBlock(node: Element, writer: Writer): string {
  const texts = [...nodesIn(node)].map((each) => (isText(each) ? each.data : isBreak(each) ? '\n' : ''))
  const written = allowed(texts.join(''), writer)
  writer.code.push(`\`\`\`\n${written.replace(/^\n/, '').trimEnd()}\n\`\`\``)
  return block(`\uE000${writer.code.length - 1}\uE001`, writer)
}

const isBreak = (node: Node) => isElement(node) && node.name === 'br'

/** Removes trailing spaces and repeated empty lines. */
function tidy(text: string): string {
  return text
    .replace(/ \n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Returns the absolute http(s) URL, or undefined for other schemes, invalid URLs and URLs that are too long. */
function absolute(href: string | undefined, base: string): string | undefined {
  const address = href === undefined || href.length > MAX_ADDRESS ? null : URL.parse(href, base)
  return address && /^https?:$/.test(address.protocol) ? address.href : undefined
}
