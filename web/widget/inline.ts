/** Parses the text of a Markdown paragraph: emphasis, code, links and line breaks. One pass over the text. Pure. */
import { safeLink } from './links.ts'

export type Inline =
  | string
  | { kind: 'strong' | 'em' | 'del'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; href: string; children: Inline[] }
  | { kind: 'break' }

/** A marker that was opened, with what follows it. The first one is the whole text. */
interface Frame {
  marker: string
  children: Inline[]
}

const LINK = '['
const KINDS: Record<string, 'strong' | 'em' | 'del'> = { '**': 'strong', __: 'strong', '*': 'em', _: 'em', '~~': 'del' }
/** Maximum depth of markers. Deeper ones stay text, which keeps the time linear. */
const MAX_FRAMES = 20
const MAX_ADDRESS = 2000
const PUNCTUATION = /[!-/:-@[-`{-~]/

export function parseInline(text: string): Inline[] {
  return new InlineReader(text).read()
}

class InlineReader {
  private readonly frames: Frame[] = [{ marker: '', children: [] }]
  private readonly codeEnd: (at: number, length: number) => number | undefined
  private readonly parenthesis: (from: number) => number | undefined
  private readonly text: string
  private at = 0
  /** Offset of the text that is not in the tree yet. */
  private plain = 0

  constructor(text: string) {
    this.text = text
    this.codeEnd = codeEnds(text)
    this.parenthesis = forwardSearch(text, ')')
  }

  read(): Inline[] {
    while (this.at < this.text.length) this.step()
    this.flush()
    while (this.frames.length > 1) this.giveUp()
    return this.children()
  }

  private step(): void {
    switch (this.text[this.at]) {
      case '\\':
        this.readEscape()
        break
      case '\n':
        this.add({ kind: 'break' }, this.at + 1)
        break
      case '`':
        this.readCode()
        break
      case LINK:
        this.open(LINK)
        break
      case ']':
        this.readLinkEnd()
        break
      case 'h':
        this.readAddress()
        break
      case '*':
      case '_':
      case '~':
        this.readMarker()
        break
      default:
        this.at++
    }
  }

  private readEscape(): void {
    if (!PUNCTUATION.test(this.text.charAt(this.at + 1))) return void this.at++
    this.flush()
    this.plain = this.at + 1
    this.at += 2
  }

  private readCode(): void {
    let length = 1
    while (this.text[this.at + length] === '`') length++
    const end = this.codeEnd(this.at, length)
    if (end === undefined) this.at += length
    else this.add({ kind: 'code', text: this.text.slice(this.at + length, end) }, end + length)
  }

  private readLinkEnd(): void {
    const start = this.at + 2
    const end = this.text[this.at + 1] === '(' && this.isOpen(LINK) ? this.parenthesis(start) : undefined
    if (end === undefined || end - start > MAX_ADDRESS) return void this.at++
    this.flush()
    const [address = ''] = this.text.slice(start, end).trim().split(/\s/)
    const href = safeLink(address)
    const children = this.close(LINK)
    if (href) this.children().push({ kind: 'link', href, children })
    else this.addAll(children)
    this.at = this.plain = end + 1
  }

  /** An address that stands in the text. */
  private readAddress(): void {
    const { text, at } = this
    if (!/^https?:\/\//.test(text.slice(at, at + 8)) || /\w/.test(text.charAt(at - 1))) return void this.at++
    const end = endOfAddress(text, at)
    const address = text.slice(at, end)
    const href = this.isOpen(LINK) ? undefined : safeLink(address)
    if (href) this.add({ kind: 'link', href, children: [address] }, end)
    else this.at = end
  }

  private readMarker(): void {
    const letter = this.text.charAt(this.at)
    const isDouble = this.text[this.at + 1] === letter
    if (letter === '~' && !isDouble) return void this.at++
    const marker = isDouble ? letter + letter : letter
    const { canOpen, canClose } = sidesOf(this.text, this.at, marker)
    if (canClose && this.isOpen(marker)) {
      this.flush()
      const kind = KINDS[marker] as 'em'
      const children = this.close(marker)
      this.children().push({ kind, children })
      this.at = this.plain = this.at + marker.length
    } else if (canOpen) this.open(marker)
    else this.at += marker.length
  }

  private open(marker: string): void {
    if (this.frames.length <= MAX_FRAMES) {
      this.flush()
      this.frames.push({ marker, children: [] })
      this.plain = this.at + marker.length
    }
    this.at += marker.length
  }

  private isOpen(marker: string): boolean {
    return this.frames.some((frame) => frame.marker === marker)
  }

  /** Ends the frame of the marker. Markers that were opened inside it and never closed are text. */
  private close(marker: string): Inline[] {
    while (this.frames.at(-1)?.marker !== marker) this.giveUp()
    return (this.frames.pop() as Frame).children
  }

  private giveUp(): void {
    const { marker, children } = this.frames.pop() as Frame
    this.addAll([marker, ...children])
  }

  private add(child: Inline, next: number): void {
    this.flush()
    this.children().push(child)
    this.at = this.plain = next
  }

  private addAll(children: Inline[]): void {
    const own = this.children()
    for (const child of children) {
      const last = own.at(-1)
      if (typeof child === 'string' && typeof last === 'string') own[own.length - 1] = last + child
      else own.push(child)
    }
  }

  private flush(): void {
    if (this.at > this.plain) this.addAll([this.text.slice(this.plain, this.at)])
  }

  private children(): Inline[] {
    return (this.frames.at(-1) as Frame).children
  }
}

/** A marker opens before a word and closes after one. Inside a word, `_` is a letter. */
function sidesOf(text: string, at: number, marker: string): { canOpen: boolean; canClose: boolean } {
  const before = text.charAt(at - 1)
  const after = text.charAt(at + marker.length)
  const isLetter = (each: string) => marker.startsWith('_') && /[\p{L}\p{N}]/u.test(each)
  return { canOpen: /\S/.test(after) && !isLetter(before), canClose: /\S/.test(before) && !isLetter(after) }
}

/** Returns a function that finds the next run of as many backticks. It is asked from left to right. */
function codeEnds(text: string): (at: number, length: number) => number | undefined {
  const runs = new Map<number, { starts: number[]; next: number }>()
  for (let at = text.indexOf('`'); at !== -1; ) {
    let end = at
    while (text[end] === '`') end++
    const same = runs.get(end - at) ?? { starts: [], next: 0 }
    same.starts.push(at)
    runs.set(end - at, same)
    at = text.indexOf('`', end)
  }
  return (at, length) => {
    const same = runs.get(length)
    if (!same) return undefined
    while ((same.starts[same.next] ?? Number.POSITIVE_INFINITY) <= at) same.next++
    return same.starts[same.next]
  }
}

/** Returns a function that finds the next such letter. It is asked from left to right, so that it reads the text once. */
function forwardSearch(text: string, letter: string): (from: number) => number | undefined {
  let found = -1
  return (from) => {
    if (found < from) {
      const next = text.indexOf(letter, from)
      found = next === -1 ? Number.POSITIVE_INFINITY : next
    }
    return found === Number.POSITIVE_INFINITY ? undefined : found
  }
}

function endOfAddress(text: string, from: number): number {
  let end = from
  while (end - from < MAX_ADDRESS && /[^\s<>"`)\]]/.test(text.charAt(end))) end++
  while (/[.,;:!?*_~']/.test(text.charAt(end - 1))) end--
  return end
}
