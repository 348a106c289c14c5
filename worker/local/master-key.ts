/** Puts a new master key in the place of the previous one. */
import { type Client, createClient } from '@libsql/client/web'
import { createCipher } from '../ports/cipher.ts'
import { SEALED_COLUMNS, type SealedColumn } from '../ports/sealed.ts'
import type { Cipher } from '../ports/types.ts'

const PAGE = 200

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
  { url, authToken }: { url: string; authToken?: string | undefined },
  { MASTER_KEY, MASTER_KEY_PREVIOUS }: Keys,
): Promise<Rotation> {
  const cipher = createCipher(MASTER_KEY, MASTER_KEY_PREVIOUS)
  const client = createClient({ url, ...(authToken !== undefined && { authToken }) })
  const rotation: Rotation = { renewed: 0, unreadable: [] }
  try {
    for (const sealed of SEALED_COLUMNS)
      for await (const row of readRows(client, sealed)) await renewRow({ client, cipher, rotation }, sealed, row)
    return rotation
  } finally {
    client.close()
  }
}

interface Row {
  id: string
  value: string
}

/** In the order of the key, a page at a time. */
async function* readRows(client: Client, { table, column, key }: SealedColumn): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const sql = `SELECT ${key} AS id, ${column} AS value FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ${PAGE}`
    const { rows } = await client.execute({ sql, args: [after] })
    const page = rows.map(({ id, value }) => ({ id: String(id), value: String(value) }))
    yield* page
    if (page.length < PAGE) return
    after = page.at(-1)?.id ?? ''
  }
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
