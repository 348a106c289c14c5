/** Notes of an import report on the whole file. */
import { BUNDLE_KEYS, type Bundle } from '#contract/export-import.ts'
import { isUsed } from '#contract/flow/params/params.ts'

export interface NoteList {
  add(note: string): void
  /** Repeated notes become one, with their count. */
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

/** Returns a note on the unknown keys of a bundle. `FileDefaultName` is only the name of the downloaded file. */
export function unknownLists(bundle: Bundle): string[] {
  const known = new Set<string>([...BUNDLE_KEYS, 'FileDefaultName', 'choices'])
  const names = Object.keys(bundle).filter((key) => !known.has(key))
  const named = names.map((name) => {
    const rows = bundle[name]
    return Array.isArray(rows) ? `${name} (${rows.length})` : name
  })
  return named.length > 0 ? [`Not imported: ${named.join(', ')}`] : []
}

/** Ignored without a note: the row's workspace, and the flow that exports add to a run. */
const KNOWN_ANYWAY = ['workspaceId', 'agentflow']

/** Returns the keys that have a value and are not in `kept`. */
export function unknownKeys(row: Record<string, unknown>, kept: readonly string[]): string[] {
  return Object.keys(row).filter((key) => !kept.includes(key) && !KNOWN_ANYWAY.includes(key) && isUsed(row[key]))
}
