import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, is, or } from 'drizzle-orm'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from './client.ts'
import { type LibsqlServer, startLibsqlServer } from './local/server.ts'
import * as schema from './schema/index.ts'
import { ownerOfFlow, scope } from './scope.ts'

const { chatflows, organizations, variables, workspaces } = schema
const DATE = '2026-01-01T00:00:00.000Z'
const stamp = { createdDate: DATE, updatedDate: DATE }

describe('two tenants on one database', () => {
  let folder: string
  let server: LibsqlServer
  let db: Database

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-scope-'))
    server = await startLibsqlServer({ file: join(folder, 'test.db') })
    db = openDatabase(server.url, server.authToken)
    await migrate(db, { migrationsFolder: join(import.meta.dirname, '../migrations') })
    await db.insert(organizations).values({ id: 'o', name: 'O', createdDate: DATE })
    for (const id of ['a', 'b']) {
      await db.insert(workspaces).values({ id, organizationId: 'o', name: id, wrappedKey: 'k', createdDate: DATE })
    }
  })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    await db.delete(variables)
    await scope(db, { workspaceId: 'a' }).insert(variables, variable('a1'))
    await scope(db, { workspaceId: 'b' }).insert(variables, variable('b1'))
  })

  const variable = (id: string) => ({ id, name: id, value: 'v', type: 'static' as const, ...stamp })
  const a = () => scope(db, { workspaceId: 'a' })
  const ownerOf = async (id: string) => (await db.select().from(variables).where(eq(variables.id, id)))[0]?.workspaceId

  it('each sees and counts its own rows', async () => {
    expect((await a().select(variables)).map((row) => row.id)).toEqual(['a1'])
    expect(await a().select(variables, eq(variables.id, 'b1'))).toEqual([])
    expect(await a().count(variables)).toEqual([{ count: 1 }])
  })

  it('a condition with OR stays within the workspace', async () => {
    const either = or(eq(variables.id, 'a1'), eq(variables.id, 'b1'))
    expect((await a().select(variables, either)).map((row) => row.id)).toEqual(['a1'])
    await a().delete(variables, either)
    expect(await ownerOf('b1')).toBe('b')
  })

  it('changes and deletes touch only its own rows', async () => {
    await a().update(variables, undefined, { value: 'changed' })
    await a().delete(variables, eq(variables.id, 'b1'))
    expect(await db.select().from(variables).where(eq(variables.id, 'b1'))).toMatchObject([{ value: 'v' }])
    await a().delete(variables, undefined)
    expect(await ownerOf('a1')).toBeUndefined()
    expect(await ownerOf('b1')).toBe('b')
  })

  it('what is inserted or changed stays in the workspace, whatever the values say', async () => {
    const posted = { ...variable('a2'), workspaceId: 'b' }
    await a().insert(variables, posted)
    expect(await ownerOf('a2')).toBe('a')
    const moved = { value: 'x', workspaceId: 'b', id: 'a9' }
    await a().update(variables, eq(variables.id, 'a2'), moved)
    expect(await ownerOf('a2')).toBe('a')
  })

  it('the owner of a flow that a call names is found by the query itself', async () => {
    await db
      .insert(chatflows)
      .values({ id: 'f', workspaceId: 'b', name: 'F', flowData: '{}', type: 'AGENTFLOW', ...stamp })
    expect((await scope(db, ownerOfFlow('f')).select(variables)).map((row) => row.id)).toEqual(['b1'])
    expect(await scope(db, ownerOfFlow('no such flow')).select(variables)).toEqual([])
  })
})

/** Queries that name a row by something other than a workspace: how many there are in a file, and why. */
const OUTSIDE_SCOPE: Record<string, { queries: number; because: string }> = {
  'http/session/identity.ts': {
    queries: 1,
    because: 'an API key is found by its hash, and says which workspace it is for',
  },
  'areas/chatflows/public.ts': {
    queries: 1,
    because: 'a public call names a flow by id, and gets what the flow makes public',
  },
  'runs/run-context-queries.ts': {
    queries: 2,
    because: 'a prediction names its flow and may carry a key: the rows say whose',
  },
  'runs/lease.ts': { queries: 1, because: 'the worker holds the run that it renews' },
  'runs/orphans.ts': {
    queries: 2,
    because: 'the minute job finds lost runs of every workspace, and an instance takes one by its id',
  },
  'areas/executions/store.ts': {
    queries: 3,
    because: 'joins whose condition is made by inWorkspace, or asks for shared rows',
  },
  'runs/resume.ts': { queries: 1, because: 'who has the link of a shared run answers it by its id' },
  'areas/triggers/claim-due.ts': { queries: 1, because: 'the minute job finds what is due in every workspace' },
  'areas/triggers/dispatch.ts': { queries: 2, because: 'the minute job dispatches what waits in every workspace' },
  'areas/triggers/trigger-list.ts': { queries: 2, because: 'figures whose condition is made by inWorkspace' },
  'areas/triggers/recover-deliveries.ts': {
    queries: 2,
    because: 'the minute job finds what lost its worker in every workspace',
  },
  'areas/triggers/webhook/find-webhook.ts': {
    queries: 1,
    because: 'a request names a webhook by its address: the row says whose it is',
  },
  'areas/triggers/webhook/delivery-status.ts': {
    queries: 1,
    because: 'who knows both ids asks for the delivery at a public address',
  },
  'areas/chatmessages/store.ts': {
    queries: 2,
    because: 'the public stop call names a flow and a chat, and stops what it called',
  },
}

describe('the worker', () => {
  const owned = Object.entries(schema).flatMap(([name, value]) =>
    is(value, SQLiteTable) && getTableConfig(value).columns.some((column) => column.name === 'workspace_id')
      ? [name]
      : [],
  )
  const tables = `(?:schema\\.)?(?:${owned.filter((name) => name !== 'workspaceMembers').join('|')})`
  const raw = new RegExp(
    `\\.(?:from|insert|update|delete)\\(\\s*${tables}\\s*\\)|\\.(?:inner|left|right|full|cross)?[jJ]oin\\(\\s*${tables}\\b|\\.query\\.${tables}\\b`,
    'g',
  )

  /** A raw query is fine when its condition is the workspace's. */
  function unscoped(source: string): string[] {
    const statements = source.split(/\n\s*\n|\n(?=\s*(?:const|return|await|export)\b)/)
    return statements.filter((text) => text.match(raw) && !text.includes('.inWorkspace('))
  }

  it('is checked by a test that sees raw queries', () => {
    expect(owned).toEqual(expect.arrayContaining(['chatflows', 'credentials', 'executions', 'apikeys', 'variables']))
    for (const query of [
      'db.select().from(chatflows).where(eq(chatflows.id, id))',
      'db.update(variables).set({})',
      'db.delete(\n  credentials,\n)'.replace(',', ''),
      'db.query.executions.findFirst()',
      'db.select().from(users).innerJoin(apikeys, on)',
    ]) {
      expect(unscoped(query)).toHaveLength(1)
    }
    expect(unscoped('db.select().from(chatflows).where(rows.inWorkspace(chatflows))')).toEqual([])
    expect(unscoped('rows.delete(chatflows, eq(chatflows.id, id))')).toEqual([])
  })

  const root = join(import.meta.dirname, '../worker')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(?<!test)\.ts$/.test(file) && !/(^|\/)(testing|local)\//.test(file),
  )

  it.each(files)('%s reaches workspaces only through scope', (file) => {
    const found = unscoped(readFileSync(join(root, file), 'utf8'))
    const allowed = OUTSIDE_SCOPE[file]?.queries ?? 0
    expect(found.length, found.join('\n\n')).toBe(allowed)
  })
})
