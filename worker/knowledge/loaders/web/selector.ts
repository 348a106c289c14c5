/**
 * Finds the elements of a page that a CSS selector names. It knows what people use to name a part of a page: `main`, `#id`,
 * `.class`, `[name]`, `[name="value"]`, descendants, children (`>`) and lists. Linear in the page's size.
 */
import { type Document, type Element, isElement } from '../../../text/xml.ts'
import { UnreadableError } from '../../types.ts'

const MAX_CHARS = 500
const MAX_STEPS = 30

interface Step {
  tag?: string
  tests: ((element: Element) => boolean)[]
  /** It must be directly inside the element of the step before. */
  isChild: boolean
}

/** Returns matching elements in document order, none inside another. @throws UnreadableError when the selector is not understood */
export function selectElements(page: Document, selector: string): Element[] {
  const selectors = parseSelector(selector)
  const found: Element[] = []
  // What of each selector the ancestors have matched: anywhere above, and directly above.
  const none: Matched[] = selectors.map(() => ({ above: new Set([0]), parent: new Set([0]) }))
  const waiting = page.children.toReversed().map((node) => ({ node, matched: none }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, matched } = next
    if (!isElement(node)) continue
    const inside = matched.map((each, index) => advance(selectors[index] as Step[], each, node))
    if (inside.some(({ parent }, index) => parent.has((selectors[index] as Step[]).length))) found.push(node)
    else for (const child of node.children.toReversed()) waiting.push({ node: child, matched: inside })
  }
  return found
}

interface Matched {
  above: ReadonlySet<number>
  parent: ReadonlySet<number>
}

function advance(steps: Step[], { above, parent }: Matched, element: Element): Matched {
  const own = new Set([0])
  steps.forEach((step, index) => {
    const mayFollow = step.isChild ? parent.has(index) : above.has(index)
    if (mayFollow && fits(step, element)) own.add(index + 1)
  })
  const isNew = [...own].some((count) => !above.has(count))
  return { above: isNew ? new Set([...above, ...own]) : above, parent: own }
}

const fits = ({ tag, tests }: Step, element: Element) =>
  (tag === undefined || tag === '*' || element.name === tag) && tests.every((test) => test(element))

/** One part of a step, or what stands between two steps. */
const TOKEN =
  /\s{0,20}(>|,)\s{0,20}|\s{1,20}|([\w*-]+)|#([\w-]+)|\.([\w-]+)|\[([\w-]+)(?:=(?:"([^"\]]*)"|'([^'\]]*)'|([\w-]+)))?\]/y

function parseSelector(selector: string): Step[][] {
  const text = selector.trim()
  const wrong = () =>
    new UnreadableError(
      `The selector “${text.slice(0, 100)}” is not understood. Use one such as main, #content or .article p.`,
    )
  if (text === '' || text.length > MAX_CHARS) throw wrong()
  const selectors: Step[][] = [[]]
  let step: Step | undefined
  let isChild = false
  let steps = 0
  const end = () => {
    if (step) selectors.at(-1)?.push(step)
    step = undefined
  }
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text)
    if (!match) throw wrong()
    const [whole, mark, tag] = match
    if (mark !== undefined || whole.trim() === '') {
      end()
      if (mark === ',' && selectors.at(-1)?.length === 0) throw wrong()
      if (mark === ',') selectors.push([])
      isChild = mark === '>'
      continue
    }
    if (!step) {
      step = { tests: [], isChild }
      isChild = false
      if (++steps > MAX_STEPS) throw wrong()
    } else if (tag !== undefined) throw wrong()
    if (tag !== undefined) step.tag = tag.toLowerCase()
    else step.tests.push(buildTest(match))
  }
  end()
  if (selectors.at(-1)?.length === 0 || isChild) throw wrong()
  return selectors
}

function buildTest([, , , id, className, name, quoted, single, bare]: RegExpExecArray): Step['tests'][number] {
  if (id !== undefined) return ({ attribs }) => attribs.id === id
  if (className !== undefined) return ({ attribs }) => (attribs.class ?? '').split(/\s/).includes(className)
  const value = quoted ?? single ?? bare
  return ({ attribs }) => {
    const own = attribs[(name ?? '').toLowerCase()]
    return own !== undefined && (value === undefined || own === value)
  }
}
