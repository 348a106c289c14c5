/** Reading XML and HTML. The parser is loaded when the first document comes. */
import type { parseDocument } from 'htmlparser2'

export type Document = ReturnType<typeof parseDocument>
export type Node = Document['children'][number]
export type Element = Extract<Node, { attribs: object }>
type Text = Extract<Node, { nodeType: 3 }>
export type Parent = Extract<Node, { children: object }>

export async function parseXml(text: string): Promise<Document> {
  const { parseDocument } = await import('htmlparser2')
  return parseDocument(text, { xmlMode: true })
}

/** As forgiving as a browser. */
export async function parseHtml(text: string): Promise<Document> {
  const { parseDocument } = await import('htmlparser2')
  return parseDocument(text)
}

export const isElement = (node: Node): node is Element => 'attribs' in node

export const isText = (node: Node): node is Text => node.nodeType === 3

/** Everything below, in document order. Not recursive: a page may be nested deeper than the stack. */
export function* nodesIn(parent: Parent): Generator<Node> {
  const waiting = parent.children.toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node
    if ('children' in node) for (const child of node.children.toReversed()) waiting.push(child)
  }
}

export const elementsNamed = (parent: Parent, name: string): Element[] =>
  [...nodesIn(parent)].filter(isElement).filter((element) => element.name === name)

/** All text inside, with single spaces. */
export function textIn(parent: Parent): string {
  const texts = [...nodesIn(parent)].filter(isText).map(({ data }) => data)
  return texts.join('').replace(/\s+/g, ' ').trim()
}

export function firstText(parent: Parent, name: string): string {
  const [first] = elementsNamed(parent, name)
  return first ? textIn(first) : ''
}
