/** Splits Markdown where nothing that follows can change what came before, so that a growing text is parsed in parts. */

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
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
const DEFINITION = /^[ \t>*+-]*\[[^\]\n]+\]:/m

/** Returns parts that show the same one after the other as the whole. Joined, they are the text. */
export function splitBlocks(text: string): string[] {
  if (DEFINITION.test(text)) return [text]
  const blocks: string[] = []
  let block = ''
  let isAfterBlank = false
  let end: RegExp | null = null
  for (const line of text.split(/(?<=\n)/)) {
    if (end === null && isAfterBlank && line.trim() !== '' && !MAY_CONTINUE.test(line)) {
      blocks.push(block)
      block = ''
    }
    end = end === null ? endOfRaw(line) : end.test(line) ? null : end
    isAfterBlank = line.trim() === ''
    block += line
  }
  return [...blocks, block]
}

/** Returns what ends the code or HTML that a line begins, or null. */
function endOfRaw(line: string): RegExp | null {
  const fence = FENCE.exec(line)?.[1]
  if (fence) return new RegExp(`^ {0,3}${fence[0]}{${fence.length},}\\s*$`)
  const html = RAW_HTML.find(([begin]) => begin.test(line))
  return html && !html[1].test(line) ? html[1] : null
}
