/** Puts a new master key in the place of the previous one, and tells whether keys are those of a database. */
import { createHmac } from 'node:crypto'
import type { Client } from '@libsql/client/web'
import { createCipher } from '../ports/cipher.ts'
import { SEALED_COLUMNS, type SealedColumn } from '../ports/sealed.ts'
import type { Cipher } from '../ports/types.ts'
import { readSealed } from './backup/sealed-values.ts'
import type { Secrets } from './environment.ts'
import type { DatabaseAddress } from './migrate.ts'
import { queryServer } from './move/query.ts'
import { openClient } from './move/tables.ts'

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
  address: DatabaseAddress,
  { MASTER_KEY, MASTER_KEY_PREVIOUS }: Keys,
): Promise<Rotation> {
  const cipher = createCipher(MASTER_KEY, MASTER_KEY_PREVIOUS)
  const client = openClient(address)
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

/** Throws a sentence for people when other machines on the database have other keys. */
export async function assertKeys(address: DatabaseAddress, secrets: Secrets): Promise<void> {
  await assertOpens(address, secrets)
  await assertSessionKey(address, secrets)
}

/** Values of each column that a start tries. One may be damaged. */
const TRIED = 5

/** Throws a sentence for people when the key opens nothing of what the database holds: another machine has another one. */
export async function assertOpens(
  address: DatabaseAddress,
  { MASTER_KEY, MASTER_KEY_PREVIOUS }: Secrets,
): Promise<void> {
  const cipher = createCipher(MASTER_KEY, MASTER_KEY_PREVIOUS)
  const client = openClient(address)
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

/**
 * Throws a sentence for people when other machines sign sessions with another key. The first machine says which key it is; one
 * that has `SESSION_KEY_PREVIOUS` too changes it, whatever it was where the one before is `lost`.
 */
async function assertSessionKey(
  address: DatabaseAddress,
  { SESSION_KEY, SESSION_KEY_PREVIOUS }: Secrets,
): Promise<void> {
  const value = checkOf(SESSION_KEY)
  const previous = SESSION_KEY_PREVIOUS ? checkOf(SESSION_KEY_PREVIOUS) : null
  const client = openClient(address)
  try {
    const { rows } = await client.execute({
      sql: `INSERT INTO key_checks (name, value) VALUES ('SESSION_KEY', ?1)
        ON CONFLICT (name) DO UPDATE SET value = ?1 WHERE value IN (?1, ?2) OR ?3 RETURNING name`,
      args: [value, previous, Number(SESSION_KEY_PREVIOUS === 'lost')],
    })
    if (rows.length === 0) throw new Error(OTHER_SESSION_KEY)
  } finally {
    client.close()
  }
}

/** The key is random, so nobody finds it from this. */
const checkOf = (key: string) => createHmac('sha256', key).update('the key of sessions').digest('base64url')

const OTHER_SESSION_KEY =
  'The SESSION_KEY of this machine is not that of the other machines on the database at LIBSQL_URL. Set it to theirs. To change it on all, set SESSION_KEY_PREVIOUS to the one before, or to "lost".'

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
