/** The part of a report that concerns the file as a whole: what of it has no place here. */
import { BUNDLE_KEYS, type Bundle } from '#contract/export-import.ts'
import { isUsed } from '#contract/flow/params/params.ts'

export interface NoteList {
  add(note: string): void
  /** The same note for many rows is said once, with their number. */
  count(note: string): void
  entries(): string[]
}

export function noteList(): NoteList {
  const counts = new Map<string, number>()
  return {
    add: (note) => void counts.set(note, 0),
    count: (note) => void counts.set(note, (counts.get(note) ?? 0) + 1),
    entries: () => [...counts].map(([note, count]) => (count > 0 ? `${note} (${count})` : note)),
  }
}

/** Keys of a bundle beside its lists; the name of the file it was downloaded as says nothing. */
export function unknownLists(bundle: Bundle): string[] {
  const known = new Set<string>([...BUNDLE_KEYS, 'FileDefaultName'])
  const names = Object.keys(bundle).filter((key) => !known.has(key))
  const named = names.map((name) => {
    const rows = bundle[name]
    return Array.isArray(rows) ? `${name} (${rows.length})` : name
  })
  return named.length > 0 ? [`Not known here, left out: ${named.join(', ')}`] : []
}

/** Which workspace a row is in, and the flow that exports put beside a run, are known anyway. */
const KNOWN_ANYWAY = ['workspaceId', 'agentflow']

/** Keys that hold something and that are not kept. */
export function unknownKeys(row: Record<string, unknown>, kept: readonly string[]): string[] {
  return Object.keys(row).filter((key) => !kept.includes(key) && !KNOWN_ANYWAY.includes(key) && isUsed(row[key]))
}
