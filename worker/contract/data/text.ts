/** Text functions that run in linear time on untrusted input. */

/** Removes trailing marks. (A regular expression such as `/\/+$/` takes quadratic time.) */
export function withoutTrailing(text: string, mark: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === mark) end -= 1
  return text.slice(0, end)
}

/** Below this length `includes` is fast enough. */
const SHORT = 64

/**
 * Returns true when `text` contains `part`, by Knuth-Morris-Pratt. (`includes` takes quadratic time when an anonymous
 * caller chooses both texts.)
 */
export function contains(text: string, part: string): boolean {
  if (part.length <= SHORT) return text.includes(part)
  const search = searchFor(part)
  let matched = 0
  for (let at = 0; at < text.length; at++) {
    matched = extended(matched, text.charCodeAt(at), search)
    if (matched === part.length) return true
  }
  return false
}

/** A text to look for. */
export interface Search {
  part: string
  /** By how many characters matched: how many of them match again, further on. */
  borders: Int32Array
}

export const searchFor = (part: string): Search => ({ part, borders: bordersOf(part) })

/** Returns the length of the longest end of the text that is a beginning of the part, but not all of it. */
export function openEndOf(text: string, search: Search): number {
  let matched = 0
  for (let at = Math.max(0, text.length - search.part.length + 1); at < text.length; at++)
    matched = extended(matched, text.charCodeAt(at), search)
  return matched
}

function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length + 1)
  for (let at = 1; at < part.length; at++)
    borders[at + 1] = extended(borders[at] as number, part.charCodeAt(at), { part, borders })
  return borders
}

function extended(matched: number, code: number, { part, borders }: Search): number {
  let length = matched
  while (length > 0 && part.charCodeAt(length) !== code) length = borders[length] as number
  return part.charCodeAt(length) === code ? length + 1 : 0
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Returns a text that HTML shows as it is, in attributes too. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
