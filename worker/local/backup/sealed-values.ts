/** Tells whether a master key opens what a database file has sealed. */
import type Database from 'libsql'
import { createCipher } from '../../ports/cipher.ts'
import { SEALED_COLUMNS } from '../../ports/sealed.ts'

interface MasterKeys {
  MASTER_KEY: string
  MASTER_KEY_PREVIOUS?: string
}

interface SealedValues {
  all: number
  /** As `table.column key`. */
  unreadable: string[]
}

/** Tries every value that a master key has sealed. Everything else is sealed with what is in them. */
export async function trySealedValues(database: Database.Database, keys: MasterKeys): Promise<SealedValues> {
  const cipher = createCipher(keys.MASTER_KEY, keys.MASTER_KEY_PREVIOUS)
  const values: SealedValues = { all: 0, unreadable: [] }
  for (const { table, column, key, purposeOf } of SEALED_COLUMNS) {
    const rows = database.prepare(`SELECT ${key} AS id, ${column} AS value FROM ${table}`).all()
    for (const { id, value } of rows as { id: string; value: string }[]) {
      values.all++
      await cipher.renew(value, purposeOf(id)).catch(() => values.unreadable.push(`${table}.${column} ${id}`))
    }
  }
  return values
}
