import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LibsqlServer, startLibsqlServer } from '#db/local/server.ts'
import { migrateForTests } from '#db/local/testing/migrate.ts'
import { queryServer, readFileRows } from './query.ts'
import { openClient } from './tables.ts'

let folder: string
let server: LibsqlServer
let client: ReturnType<typeof openClient>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-query-'))
  server = await startLibsqlServer({ file: join(folder, 'test.db') })
  await migrateForTests(server)
  client = openClient(server)
  await client.batch([
    "INSERT INTO organizations (id, name, created_date) VALUES ('o', 'O', '2026-01-01')",
    "INSERT INTO workspaces (id, organization_id, name, wrapped_key, created_date) VALUES ('w', 'o', 'W', 'k', '2026-01-01')",
    `INSERT INTO chatflows (id, workspace_id, name, flow_data, type, created_date, updated_date)
      VALUES ('f', 'w', 'F', '{}', 'AGENTFLOW', '2026-01-01', '2026-01-01')`,
    `INSERT INTO files (id, workspace_id, chatflowid, chat_id, name, mime, size, created_date)
      SELECT 'file-' || value, 'w', 'f', '', 'a.txt', 'text/plain', 3, '2026-01-01' FROM generate_series(1, 5001)`,
  ])
})
afterAll(async () => {
  client.close()
  await server.close()
  rmSync(folder, { recursive: true })
})

it('finds the files of all pages, each page by the key of its rows', async () => {
  const pages: string[] = []
  const ask = queryServer(client)
  const found = await readFileRows(async (sql, args) => {
    const plan = await ask(`EXPLAIN QUERY PLAN ${sql}`, args)
    pages.push(plan.map(({ detail }) => detail).join())
    return ask(sql, args)
  })
  expect(found).toHaveLength(5001)
  expect(found[0]).toEqual({ key: 'w/file-1', name: 'a.txt', size: 3 })
  expect(pages).toHaveLength(4)
  for (const plan of pages) expect(plan).toMatch(/^SEARCH \w+ USING INDEX \w+ \(id>\?\)$/)
})
