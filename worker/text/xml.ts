/** Parses XML and HTML. Loads the parser on first use. */
import type { ParserOptions, parseDocument } from 'htmlparser2'

export type Document = ReturnType<typeof parseDocument>
export type Node = Document['children'][number]
export type Element = Extract<Node, { attribs: object }>
type Text = Extract<Node, { nodeType: 3 }>
type Parent = Extract<Node, { children: object }>

/** Limits of a document; the rest is ignored. */
const MAX_CHARS = 1_000_000
const MAX_ELEMENTS = 50_000
/** Bounds open elements, which the parser searches for every unknown tag. */
const MAX_OPEN = 500
const CHARS_AT_ONCE = 4_000

interface DocumentLimits {
  chars: number
  elements: number
}

const LIMITS: DocumentLimits = { chars: MAX_CHARS, elements: MAX_ELEMENTS }

export const parseXml = async (text: string): Promise<Document> =>
  (await parse(text, { xmlMode: true }, LIMITS)).document

/** Parses HTML leniently, like a browser. */
export const parseHtml = async (text: string): Promise<Document> =>
  (await parse(text, { xmlMode: false }, LIMITS)).document

/** Returns undefined when the page exceeds these limits, or nests too deeply. */
export async function parseWholeHtml(text: string, limits: DocumentLimits): Promise<Document | undefined> {
  const { document, isWhole } = await parse(text, { xmlMode: false }, limits)
  return isWhole ? document : undefined
}

async function parse(text: string, options: ParserOptions, limits: DocumentLimits) {
  const { DomHandler, Parser } = await import('htmlparser2')
  let elements = 0
  let open = 0
  class CountingHandler extends DomHandler {
    override onopentag(name: string, attributes: Record<string, string>) {
      elements += 1
      open += 1
      super.onopentag(name, attributes)
    }
    override onclosetag() {
      open -= 1
      super.onclosetag()
    }
  }
  const handler = new CountingHandler()
  const parser = new Parser(handler, options)
  const end = Math.min(text.length, limits.chars)
  let at = 0
  for (; at < end && elements < limits.elements && open < MAX_OPEN; at += CHARS_AT_ONCE)
    parser.write(text.slice(at, Math.min(at + CHARS_AT_ONCE, end)))
  parser.end()
  return { document: handler.root, isWhole: at >= text.length }
}

export const isElement = (node: Node): node is Element => 'attribs' in node

export const isText = (node: Node): node is Text => node.nodeType === 3

/** Yields all descendants in document order. Iterative, because nesting may exceed the stack. */
export function* nodesIn(parent: Parent): Generator<Node> {
  const waiting = parent.children.toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node
    if ('children' in node) for (const child of node.children.toReversed()) waiting.push(child)
  }
}

export const elementsNamed = (parent: Parent, name: string): Element[] =>
  [...nodesIn(parent)].filter(isElement).filter((element) => element.name === name)

/** Returns the text content with collapsed whitespace. */
export function textIn(parent: Parent): string {
  const texts = [...nodesIn(parent)].filter(isText).map(({ data }) => data)
  return texts.join('').replace(/\s+/g, ' ').trim()
}

export function firstText(parent: Parent, name: string): string {
  const [first] = elementsNamed(parent, name)
  return first ? textIn(first) : ''
}
