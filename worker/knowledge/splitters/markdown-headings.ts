/** Where the headings and code blocks of a Markdown text are. */

interface Heading {
  /** 1 to 6. */
  level: number
  title: string
  /** Where its line starts. */
  start: number
}

export interface MarkdownOutline {
  headings: Heading[]
  /** Where fenced code blocks start, and where the line after them starts. */
  fences: number[]
}

const MAX_TITLE = 200
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/
const FENCE = /^ {0,3}(```|~~~)/
const UNDERLINE = /^ {0,3}(=+|-{2,})[ \t]*$/

/** Returns the headings in order, in one pass. Marks inside code blocks are none. */
export function markdownOutline(text: string): MarkdownOutline {
  const headings: Heading[] = []
  const fences: number[] = []
  let fence: string | undefined
  let above = { text: '', start: 0 }
  for (const line of linesOf(text)) {
    const mark = FENCE.exec(line.text)?.[1]
    if (fence !== undefined || mark !== undefined) {
      if (fence === undefined) fences.push(line.start)
      else if (mark === fence) fences.push(line.next)
      fence = fence === undefined ? mark : mark === fence ? undefined : fence
      above = { text: '', start: line.next }
      continue
    }
    const heading = headingOf(line, above)
    if (heading) headings.push(heading)
    above = heading ? { text: '', start: line.next } : line
  }
  return { headings, fences }
}

interface Line {
  text: string
  start: number
}

/** The longest line that may be a heading or a fence. */
const MAX_LINE = 1000

function* linesOf(text: string): Generator<Line & { next: number }> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const next = found === -1 ? text.length : found + 1
    yield { text: text.slice(start, Math.min(next, start + MAX_LINE)).trimEnd(), start, next }
    start = next
  }
}

function headingOf(line: Line, above: Line): Heading | undefined {
  const [, marks, title] = HEADING.exec(line.text) ?? []
  if (marks && title) return { level: marks.length, title: titleOf(title), start: line.start }
  const [, underline] = UNDERLINE.exec(line.text) ?? []
  if (!underline || !isProse(above.text)) return undefined
  return { level: underline.startsWith('=') ? 1 : 2, title: titleOf(above.text), start: above.start }
}

/** A line that may be a heading by the line below it: not empty, no list, quote, table or mark of its own. */
const isProse = (line: string) => /^ {0,3}[^\s>|#*+-]/.test(line)

/** Returns the title without the marks that may close it. */
function titleOf(written: string): string {
  let title = written.trim()
  while (title.endsWith('#')) title = title.slice(0, -1)
  return title.trim().slice(0, MAX_TITLE)
}

/** Returns a function that gives the titles above a place, outermost first. Places must be asked in order. */
export function headingsAbove(headings: Heading[]): (place: number) => string[] {
  let next = 0
  let open: Heading[] = []
  return (place) => {
    for (; next < headings.length; next++) {
      const heading = headings[next] as Heading
      if (heading.start >= place) break
      open = [...open.filter(({ level }) => level < heading.level), heading]
    }
    return open.map(({ title }) => title)
  }
}
