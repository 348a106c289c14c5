/** Splits Markdown where nothing that follows can change what came before, so that a growing text is parsed in parts. */

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const CLOSING_FENCE = /^ {0,3}(`+|~+)\s*$/
/** HTML that blank lines do not end, and what ends it. */
const RAW_HTML: [begin: RegExp, end: RegExp][] = [
  [/^ {0,3}<(script|pre|style|textarea)(\s|>|$)/i, /<\/(script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<![a-z]/i, />/],
]
/** After a blank line, such a line may belong to a list before it. */
const MAY_CONTINUE = /^(\s|[-+*](\s|$)|\d{1,9}[.)](\s|$))/
/** Links and footnotes whose other half may stand in any block. */
const DEFINITION = /^[ \t>*+-]*\[[^\]]+\]:/

/** Returns parts that show the same one after the other as the whole. Joined, they are the text. */
export function splitBlocks(text: string): string[] {
  const lines = text.split(/(?<=\n)/)
  if (lines.some((line) => DEFINITION.test(line))) return [text]
  const blocks: string[] = []
  let block = ''
  let isAfterBlank = false
  let isEnd: IsEnd | null = null
  for (const line of lines) {
    if (isEnd === null && isAfterBlank && line.trim() !== '' && !MAY_CONTINUE.test(line)) {
      blocks.push(block)
      block = ''
    }
    isEnd = isEnd === null ? findEnd(line) : isEnd(line) ? null : isEnd
    isAfterBlank = line.trim() === ''
    block += line
  }
  return [...blocks, block]
}

type IsEnd = (line: string) => boolean

/** Returns what recognizes the last line of the code or HTML that a line begins, or null. */
function findEnd(line: string): IsEnd | null {
  const fence = FENCE.exec(line)?.[1]
  // A closing fence has the same sign, at least as often.
  if (fence) return (other) => CLOSING_FENCE.exec(other)?.[1]?.startsWith(fence) === true
  const html = RAW_HTML.find(([begin]) => begin.test(line))
  return html && !html[1].test(line) ? (other) => html[1].test(other) : null
}
