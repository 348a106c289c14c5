/** Ids that a file brings: kept where they are free, so that callers of a flow find it again, and new everywhere else. */
import * as z from 'zod'

const isUuid = (id: string) => z.uuid().safeParse(id).success
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

export interface Renaming {
  /** The id under which a row of the file is stored. */
  renamedId(id: string): string
  /** The text with every renamed id in it replaced: whatever refers to a row goes on doing so. */
  renameInText(text: string): string
  /** The same for every text in a row. */
  renameInRow<Row extends object>(row: Row): Row
}

/** @param taken ids that rows have already, in any workspace */
export function renameIds(ids: Iterable<string>, taken: ReadonlySet<string>, newId: () => string): Renaming {
  const renamed = new Map<string, string>()
  for (const id of ids) if (taken.has(id) || !isUuid(id)) renamed.set(id, newId())
  const renameInText = (text: string) => text.replace(UUID, (id) => renamed.get(id) ?? id)
  return {
    renamedId: (id) => renamed.get(id) ?? id,
    renameInText,
    renameInRow: (row) => (renamed.size === 0 ? row : JSON.parse(renameInText(JSON.stringify(row)))),
  }
}
