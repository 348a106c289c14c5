/**
 * The rich text editor stores some inputs as HTML. Models should get Markdown, so an input that starts with
 * a block tag is converted in one pass of linear time. The syntax is Flowise's (`*   ` for an item, `_` for emphasis), so
 * that models get the same prompt. Nothing is escaped. Mention spans become their `{{ }}`, unknown tags their text.
 */

const BEGINS_WITH_BLOCK = /^\s*<(?:p|div|h[1-6]|ul|ol|blockquote|pre|table)(?:\s[^<>]*)?>/i
const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)\/?>|[^<]+|</gi
const BLOCK = /^(?:p|div|h[1-6]|table|blockquote|pre)$/
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const MARKS: Record<string, string> = { strong: '**', b: '**', em: '_', i: '_', s: '~~', del: '~~' }
const MAX_DEPTH = 9

/** Converts editor HTML to Markdown. Returns other text unchanged. */
export function editorText(text: string): string {
  return BEGINS_WITH_BLOCK.test(text) ? htmlToMarkdown(text) : text
}

export function htmlToMarkdown(html: string): string {
  const writer = new Writer()
  for (const [token, slash, name, attributes] of html.matchAll(TOKEN)) {
    if (name === undefined) writer.words(decoded(token))
    else if (slash) writer.close(name.toLowerCase())
    else writer.open(name.toLowerCase(), attributes ?? '')
  }
  return writer.pieces.join('').trim()
}

class Writer {
  readonly pieces: string[] = []
  /** Line breaks to insert before the next text. */
  #gap = 0
  /** True after a list item's bullet, before its text. */
  #bullet = false
  #verbatim = false
  #quotes = 0
  #columns = 0
  readonly #links: string[] = []
  readonly #lists: { ordered: boolean; items: number }[] = []

  words(text: string): void {
    const shown = this.#verbatim ? text : text.replace(/\s+/g, ' ')
    const begins = this.#gap > 0 || this.pieces.length === 0 || this.#bullet
    const trimmed = begins && !this.#verbatim ? shown.trimStart() : shown
    if (trimmed) this.#put(trimmed)
  }

  open(tag: string, attributes: string): void {
    if (tag === 'blockquote') this.#quotes += 1
    if (BLOCK.test(tag)) this.#block()
    if (/^h[1-6]$/.test(tag)) this.#put(`${'#'.repeat(Number(tag[1]))} `)
    else if (tag === 'ul' || tag === 'ol') this.#openList(tag === 'ol')
    else if (tag === 'li') this.#item()
    else if (tag === 'pre') this.#fence(true)
    else if (tag === 'a') this.#openLink(attributes)
    else if (tag === 'br') this.#break()
    else if (tag === 'hr') this.#rule()
    else if (tag === 'tr') this.#row()
    else if (tag === 'td' || tag === 'th') this.#columns += 1
    else this.#mark(tag)
  }

  close(tag: string): void {
    if (tag === 'pre') this.#fence(false)
    else if (tag === 'ul' || tag === 'ol') this.#lists.pop()
    else if (tag === 'a') this.#put(`](${this.#links.pop() ?? ''})`)
    else if (tag === 'td' || tag === 'th') this.#put(' | ')
    else if (tag === 'thead') this.#put(`\n|${' - |'.repeat(Math.min(this.#columns, 99))}`)
    else this.#mark(tag)
    if (BLOCK.test(tag) || tag === 'ul' || tag === 'ol') this.#block()
    if (tag === 'blockquote') this.#quotes = Math.max(0, this.#quotes - 1)
  }

  #put(text: string): void {
    const quote = '> '.repeat(Math.min(this.#quotes, MAX_DEPTH))
    if (this.#gap > 0) this.#trimLine()
    if (this.pieces.length === 0) this.pieces.push(quote)
    else if (this.#gap > 0) this.pieces.push(this.#gap > 1 ? `\n${quote.trimEnd()}\n${quote}` : `\n${quote}`)
    this.pieces.push(text)
    this.#gap = 0
    this.#bullet = false
  }

  #break(): void {
    this.#trimLine()
    this.#put(this.#verbatim ? '\n' : '  \n')
  }

  /** Removes the space that the editor inserts after a mention at the end of a line. */
  #trimLine(): void {
    const last = this.pieces.at(-1)
    if (last?.endsWith(' ') && !this.#verbatim) this.pieces[this.pieces.length - 1] = last.slice(0, -1)
  }

  #block(): void {
    if (!this.#bullet) this.#gap = Math.max(this.#gap, this.#lists.length > 0 ? 1 : 2)
  }

  #openList(ordered: boolean): void {
    if (this.#lists.length > 0) this.#gap = 1
    else this.#block()
    this.#lists.push({ ordered, items: 0 })
  }

  #item(): void {
    const list = this.#lists.at(-1) ?? { ordered: false, items: 0 }
    list.items += 1
    if (list.items > 1) this.#gap = 1
    const depth = Math.min(Math.max(0, this.#lists.length - 1), MAX_DEPTH)
    this.#put(`${'    '.repeat(depth)}${list.ordered ? `${list.items}.  ` : '*   '}`)
    this.#bullet = true
  }

  #fence(opens: boolean): void {
    if (!opens) this.#gap = 1
    this.#put('```')
    if (opens) this.#gap = 1
    this.#verbatim = opens
  }

  #openLink(attributes: string): void {
    this.#links.push(decoded(/href\s*=\s*"([^"]*)"/i.exec(attributes)?.[1] ?? ''))
    this.#put('[')
  }

  #rule(): void {
    this.#block()
    this.#put('* * *')
    this.#block()
  }

  #row(): void {
    if (this.#columns > 0) this.#gap = 1
    this.#columns = 0
    this.#put('| ')
  }

  #mark(tag: string): void {
    const mark = tag === 'code' && !this.#verbatim ? '`' : MARKS[tag]
    if (mark) this.#put(mark)
  }
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
