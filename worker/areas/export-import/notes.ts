/** Notes of an import report on the whole file. */
import { BUNDLE_KEYS, type Bundle, NOT_EXPORTED } from '#contract/export-import/export-import.ts'
import { isUsed } from '#contract/flow/params/params.ts'

export interface NoteList {
  add(note: string): void
  /** Repeated notes become one, with their count. */
  count(note: string): void
  entries(): string[]
  counted(): CountedNotes
  /** Forgets the notes, and goes on behind these. */
  restore(notes: CountedNotes): void
}

export interface CountedNotes {
  counts: ReadonlyMap<string, number>
  /** Notes past the limit. */
  more: number
}

/** A file can make a note of each of its rows; nobody reads that many. */
const MAX_NOTES = 200

export function noteList(): NoteList {
  const counts = new Map<string, number>()
  let more = 0
  const set = (note: string, count: number) => {
    if (counts.has(note) || counts.size < MAX_NOTES) counts.set(note, count)
    else more += 1
  }
  return {
    add: (note) => set(note, 0),
    count: (note) => set(note, (counts.get(note) ?? 0) + 1),
    counted: () => ({ counts, more }),
    restore(notes) {
      counts.clear()
      for (const [note, count] of notes.counts) counts.set(note, count)
      more = notes.more
    },
    entries: () => [
      ...[...counts].map(([note, count]) => (count > 0 ? `${note} (${count})` : note)),
      ...(more > 0 ? [`Other notes (${more})`] : []),
    ],
  }
}

const MAX_LISTED = 20

/** Returns a note on the unknown keys of a bundle. `FileDefaultName` is only the name of the downloaded file. */
export function unknownLists(bundle: Bundle): string[] {
  const known = new Set<string>([...BUNDLE_KEYS, NOT_EXPORTED, 'FileDefaultName', 'choices'])
  const names = Object.keys(bundle).filter((key) => !known.has(key))
  const named = names.map((name) => {
    const rows = bundle[name]
    return Array.isArray(rows) ? `${name} (${rows.length})` : name
  })
  if (named.length === 0) return []
  const more = named.length - MAX_LISTED
  const listed = [...named.slice(0, MAX_LISTED), ...(more > 0 ? [`${more} more`] : [])]
  return [`Not imported: ${listed.join(', ')}`]
}

/** Ignored without a note: the row's workspace, and the flow that exports add to a run. */
const KNOWN_ANYWAY = ['workspaceId', 'agentflow']

/** Returns the keys that have a value and are not in `kept`. */
export function unknownKeys(row: Record<string, unknown>, kept: readonly string[]): string[] {
  return Object.keys(row).filter((key) => !kept.includes(key) && !KNOWN_ANYWAY.includes(key) && isUsed(row[key]))
}
