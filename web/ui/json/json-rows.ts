/** JSON as the rows of a tree that folds. Pure. */
import { jsonPath } from './json-path.ts'

export interface JsonRow {
  /** `items[0].name`; unique in the tree. */
  path: string
  level: number
  /** Absent for the rest of a long list. */
  key?: string | number
  value: unknown
  /** Set for lists and objects. */
  isOpen?: boolean
  /** For the rest of a long list or object: how many entries it hides. */
  hidden?: number
}

/** Entries of one list or object that are shown. */
const MAX_ENTRIES = 100
/** The first level starts unfolded when it has no more entries than this. */
const MAX_OPEN_ENTRIES = 20

/** @param toggled paths that a person folded or unfolded */
export function jsonRows(value: unknown, toggled: ReadonlySet<string>): JsonRow[] {
  const rows: JsonRow[] = []
  const add = (parent: object, keys: (string | number)[]) => {
    const level = keys.length + 1
    const entries = entriesOf(parent)
    const startsOpen = level === 1 && entries.length <= MAX_OPEN_ENTRIES
    for (const [key, item] of entries.slice(0, MAX_ENTRIES)) {
      const itemKeys = [...keys, key]
      const path = jsonPath(itemKeys)
      const isParent = typeof item === 'object' && item !== null && entriesOf(item).length > 0
      const isOpen = isParent && startsOpen !== toggled.has(path)
      rows.push({ path, level, key, value: item, ...(isParent && { isOpen }) })
      if (isOpen) add(item, itemKeys)
    }
    const hidden = entries.length - MAX_ENTRIES
    if (hidden > 0) rows.push({ path: `${jsonPath(keys)}…`, level, value: parent, hidden })
  }
  if (typeof value === 'object' && value !== null) add(value, [])
  return rows
}

const entriesOf = (value: object): [string | number, unknown][] =>
  Array.isArray(value) ? value.map((item, index) => [index, item]) : Object.entries(value)

/** Returns what a folded list or object holds: `3 items`, `1 field`. */
export function sizeText(value: object): string {
  const size = entriesOf(value).length
  const noun = Array.isArray(value) ? 'item' : 'field'
  return `${size} ${noun}${size === 1 ? '' : 's'}`
}
