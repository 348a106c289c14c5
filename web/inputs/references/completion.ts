/** Completion of `{{` references in text. Pure. */
import type { Suggestion } from '#contract/flow/references/suggestions.ts'

export interface OpenReference {
  /** Position of the opening braces. */
  from: number
  /** Text after the braces. */
  query: string
}

const LONGEST = 80

/** Returns the open reference at the caret, or null. */
export function openReference(text: string, caret: number): OpenReference | null {
  const before = text.slice(0, caret)
  const from = before.lastIndexOf('{{')
  if (from < 0) return null
  const query = before.slice(from + 2)
  return /[{}\n]/.test(query) || query.length > LONGEST ? null : { from, query: query.trim() }
}

/** Returns matching suggestions, prefix matches first. */
export function matching(suggestions: readonly Suggestion[], query: string): Suggestion[] {
  const wanted = query.toLowerCase()
  const rank = ({ id, label }: Suggestion) => {
    const texts = [id.toLowerCase(), label.toLowerCase()]
    return texts.some((text) => text.startsWith(wanted)) ? 0 : texts.some((text) => text.includes(wanted)) ? 1 : 2
  }
  return suggestions
    .map((suggestion) => ({ suggestion, rank: rank(suggestion) }))
    .filter((each) => each.rank < 2)
    .toSorted((a, b) => a.rank - b.rank)
    .map((each) => each.suggestion)
}

/** Returns the text with the reference completed, and the new caret position. */
export function complete(text: string, open: OpenReference, { id, caret }: { id: string; caret: number }) {
  const after = text.slice(caret).replace(/^[^{}\n]*\}\}/, '')
  const rest = after === text.slice(caret) ? text.slice(caret) : after
  const reference = `{{${id}}}`
  return { text: text.slice(0, open.from) + reference + rest, caret: open.from + reference.length }
}
