/** What is embedded and indexed of a chunk. Its hash, SHA-256 in hex, is `documentChunks.hash`. */

export const HEADING_SEPARATOR = ' > '

/** @param headings the headings above the text, outermost first, joined by ` > `; may be empty */
export const embeddedText = (headings: string, text: string): string =>
  headings === '' ? text : `${headings}\n${text}`
