/** Reads the rows of one kind of a file; the report names those that are invalid. */
import type * as z from 'zod'
import type { BundleKey, BundleRow } from '#contract/export-import/export-import.ts'
import { messageOfIssue } from '../../http/decode.ts'
import type { Renaming } from './ids.ts'
import type { LeftOutList } from './left-out.ts'
import { type NoteList, unknownKeys } from './notes.ts'

export interface Taking {
  renaming: Renaming
  list: LeftOutList
  /** Flows of the workspace after the import. */
  flowIds: ReadonlySet<string>
  newId(): string
  notes: NoteList
}

export type WithId<Row> = Omit<Row, 'id'> & { id: string }

type RowSchema = z.ZodType<{ id?: string | undefined }>

interface Reading<Schema extends RowSchema> {
  key: BundleKey
  schema: Schema
  /** The keys that are imported. Defaults to those of the schema. */
  kept?: readonly string[]
}

/** Returns the valid rows as they are in the file; lists the others. */
export function readRows<Schema extends RowSchema>(
  rows: BundleRow[],
  { key, schema, kept = Object.keys((schema as unknown as z.ZodObject).shape) }: Reading<Schema>,
  { list, notes }: Pick<Taking, 'list' | 'notes'>,
): z.infer<Schema>[] {
  return rows.flatMap((row) => {
    const read = schema.safeParse(row)
    const issue = read.error?.issues[0]
    if (issue) {
      list.add(key, row, `${issue.path.join('.')}: ${messageOfIssue(issue)}`)
      return []
    }
    for (const name of unknownKeys(row, kept)) notes.count(`Not imported from ${key}: ${name}`)
    return [read.data as z.infer<Schema>]
  })
}

/** Returns the valid rows, each with its own id; lists the others. `why` says why a valid row is left out. */
export function takeRows<Schema extends RowSchema>(
  rows: BundleRow[],
  reading: Reading<Schema> & { ids: OwnIds; why(row: z.infer<Schema>): string | undefined },
  take: Taking,
): WithId<z.infer<Schema>>[] {
  const renamed = rows.map(take.renaming.renameInRow)
  return readRows(renamed, reading, take).flatMap((row) => {
    const reason = reading.why(row)
    if (reason) {
      take.list.add(reading.key, row as BundleRow, reason)
      return []
    }
    return [{ ...row, id: reading.ids((row as { id?: string }).id) }]
  })
}

/** Gives a row its id, or a new one. */
type OwnIds = (id: string | undefined) => string

/**
 * Returns a function that gives each row its id, and a new one to rows without an id or with one that was used.
 * @param used ids that were given already; those that it gives are added
 */
export function ownIds({ renaming, newId }: Pick<Taking, 'renaming' | 'newId'>, used = new Set<string>()): OwnIds {
  return (id) => {
    const own = id ? renaming.renamedId(id) : ''
    if (own === '' || used.has(own)) return newId()
    used.add(own)
    return own
  }
}
