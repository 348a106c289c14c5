/** Puts a new master key in the place of the previous one, and tells whether a key is the one of a database. */
import { type Client, createClient } from '@libsql/client/web'
import { createCipher } from '../ports/cipher.ts'
import { SEALED_COLUMNS, type SealedColumn } from '../ports/sealed.ts'
import type { Cipher } from '../ports/types.ts'
import { readSealed } from './backup/sealed-values.ts'
import type { Secrets } from './environment.ts'
import type { DatabaseAddress } from './migrate.ts'
import { queryServer } from './move/query.ts'

interface Keys {
  MASTER_KEY: string
  MASTER_KEY_PREVIOUS: string
}

/** What was found, as `table.column key`. */
interface Rotation {
  renewed: number
  /** Values that neither key opens. They are left as they are. */
  unreadable: string[]
}

/**
 * Renews everything that the previous key sealed. Each value is replaced alone and only if nobody has replaced it
 * meanwhile, so a rotation may be killed, repeated, and run beside servers that have both keys.
 */
export async function rotateMasterKey(
  { url, authToken }: DatabaseAddress,
  { MASTER_KEY, MASTER_KEY_PREVIOUS }: Keys,
): Promise<Rotation> {
  const cipher = createCipher(MASTER_KEY, MASTER_KEY_PREVIOUS)
  const client = createClient({ url, ...(authToken !== undefined && { authToken }) })
  const rotation: Rotation = { renewed: 0, unreadable: [] }
  try {
    for (const sealed of SEALED_COLUMNS)
      for await (const row of readSealed(queryServer(client), sealed))
        await renewRow({ client, cipher, rotation }, sealed, row)
    return rotation
  } finally {
    client.close()
  }
}

/** Values of each column that a start tries. One may be damaged. */
const TRIED = 5

/** Throws a sentence for people when the key opens nothing of what the database holds: another machine has another one. */
export async function assertOpens(
  { url, authToken }: DatabaseAddress,
  { MASTER_KEY, MASTER_KEY_PREVIOUS }: Secrets,
): Promise<void> {
  const cipher = createCipher(MASTER_KEY, MASTER_KEY_PREVIOUS)
  const client = createClient({ url, ...(authToken !== undefined && { authToken }) })
  try {
    const opened: boolean[] = []
    for (const { table, column, key, purposeOf } of SEALED_COLUMNS) {
      const { rows } = await client.execute(`SELECT ${key} AS id, ${column} AS value FROM ${table} LIMIT ${TRIED}`)
      for (const { id, value } of rows)
        opened.push(
          await cipher.renew(String(value), purposeOf(String(id))).then(
            () => true,
            () => false,
          ),
        )
    }
    if (opened.length > 0 && !opened.includes(true)) throw new Error(OTHER_KEY)
  } finally {
    client.close()
  }
}

const OTHER_KEY =
  'The master key of this machine opens nothing of what the database at LIBSQL_URL holds. Set MASTER_KEY, and SESSION_KEY beside it, to those of the other machines.'

interface Row {
  id: string
  value: string
}

async function renewRow(
  { client, cipher, rotation }: { client: Client; cipher: Cipher; rotation: Rotation },
  { table, column, key, purposeOf }: SealedColumn,
  { id, value }: Row,
): Promise<void> {
  const renewed = await cipher.renew(value, purposeOf(id)).catch(() => null)
  if (renewed === undefined) return
  if (renewed === null) {
    rotation.unreadable.push(`${table}.${column} ${id}`)
    return
  }
  const sql = `UPDATE ${table} SET ${column} = ? WHERE ${key} = ? AND ${column} = ?`
  rotation.renewed += (await client.execute({ sql, args: [renewed, id, value] })).rowsAffected
}
