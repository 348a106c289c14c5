/** Strips Markdown syntax, so that texts can be compared by their words. */

const FENCE = /^[ \t]*(?:```|~~~)[^\n]*$/gm
const LINE_START = /^[ \t]{0,3}(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)/gm
const LINK = /!?\[([^[\]\n]*)\]\([^()\s]*(?:[ \t]+"[^"\n]*")?\)/g
const STRONG = /(\*\*|__|~~)(?=\S)([^*_~\n]+)\1/g
const STAR = /\*(?=\S)([^*\n]+)\*/g
const UNDERLINE = /(?<![\p{L}\p{N}_])_(?=\S)([^_\n]+)_(?![\p{L}\p{N}_])/gu
const CODE = /`([^`\n]+)`/g
const ESCAPED = /\\([\\`*_{}[\]()#+\-.!~>|])/g
/** Escaped characters are moved to the private use area while the markup is removed. */
const HIDDEN = 0xe000

export function plainText(markdown: string): string {
  if (!/[\\`*_~[#>\-+\d]/.test(markdown)) return markdown.trim()
  return markdown
    .replace(ESCAPED, (_, mark: string) => String.fromCharCode(HIDDEN + mark.charCodeAt(0)))
    .replace(FENCE, '')
    .replace(LINE_START, '')
    .replace(LINK, '$1')
    .replace(STRONG, '$2')
    .replace(STAR, '$1')
    .replace(UNDERLINE, '$1')
    .replace(CODE, '$1')
    .replace(/[\uE000-\uE07F]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - HIDDEN))
    .trim()
}
