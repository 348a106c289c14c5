/** Keeps ids of a file that are free, so that callers of a flow find it again, and replaces all others. */
import * as z from 'zod'

export const isUuid = (id: string) => z.uuid().safeParse(id).success
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

export interface Renaming {
  /** Returns the id under which a row of the file is stored. */
  renamedId(id: string): string
  /** Returns the text with every renamed id replaced. */
  renameInText(text: string): string
  /** Replaces renamed ids in every text of a row. */
  renameInRow<Row extends object>(row: Row): Row
}

/** Gives each of these ids a new one. `joined` ids become the new id of another. */
export function renameIds(
  ids: Iterable<string>,
  newId: () => string,
  joined: Iterable<readonly [id: string, other: string]> = [],
): Renaming {
  const renamed = new Map<string, string>()
  for (const id of ids) if (!renamed.has(id)) renamed.set(id, newId())
  for (const [id, other] of joined) renamed.set(id, renamed.get(other) ?? other)
  const renameInText = (text: string) => text.replace(UUID, (id) => renamed.get(id) ?? id)
  return {
    renamedId: (id) => renamed.get(id) ?? id,
    renameInText,
    renameInRow: (row) => (renamed.size === 0 ? row : JSON.parse(renameInText(JSON.stringify(row)))),
  }
}
