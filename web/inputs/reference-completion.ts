/** Suggestions while a reference is typed: what stands after the last open braces, and the text with a choice put in. */
import type { Suggestion } from '#contract/flow/references/suggestions.ts'

export interface OpenReference {
  /** Where the braces begin in the text. */
  from: number
  /** What was typed after them. */
  query: string
}

const LONGEST = 80

/** The reference that is open at the caret; null when there is none. */
export function openReference(text: string, caret: number): OpenReference | null {
  const before = text.slice(0, caret)
  const from = before.lastIndexOf('{{')
  if (from < 0) return null
  const query = before.slice(from + 2)
  return /[{}\n]/.test(query) || query.length > LONGEST ? null : { from, query: query.trim() }
}

/** The suggestions that fit, those that begin with the query first. */
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

/** The text with the open reference replaced by the choice, and where the caret goes. */
export function complete(text: string, open: OpenReference, { id, caret }: { id: string; caret: number }) {
  const after = text.slice(caret).replace(/^[^{}\n]*\}\}/, '')
  const rest = after === text.slice(caret) ? text.slice(caret) : after
  const reference = `{{${id}}}`
  return { text: text.slice(0, open.from) + reference + rest, caret: open.from + reference.length }
}
