import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type LibsqlServer, startLibsqlServer } from '#db/local/server.ts'
import { copyTables, openClient } from './tables.ts'

let folder: string
let servers: LibsqlServer[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-tables-'))
  servers = await Promise.all(['source', 'target'].map((name) => startLibsqlServer({ file: join(folder, name) })))
})
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()))
  rmSync(folder, { recursive: true })
})

it.each([
  ['CREATE VIEW newest AS SELECT 1', 'The view newest'],
  ['CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT)', 'The table counted'],
])('refuses what the copy would lack: %s', async (sql, name) => {
  const [source, target] = servers.map(openClient) as [ReturnType<typeof openClient>, ReturnType<typeof openClient>]
  await source.execute(sql)
  await expect(copyTables(source, target, () => {})).rejects.toThrow(name)
  source.close()
  target.close()
})
