import { eq, getTableColumns, is, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '#db/client.ts'
import * as schema from '#db/schema/index.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { flowDeletions } from '../index.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

const { chatflows } = schema
const tables = Object.values(schema).filter((value): value is never => is(value, SQLiteTable)) as SQLiteTable[]
const configs = tables.map((table) => ({ table, ...getTableConfig(table) }))
type Config = (typeof configs)[number]

const isFlowId = ({ name }: SQLiteColumn) => /flow_?id$/.test(name)
const parentsOf = ({ foreignKeys }: Config) => foreignKeys.map((key) => key.reference())

/** Tables that name a flow, then those that name a row of these, and so on: parents come first. */
function tablesOfFlows(): Config[] {
  const found = configs.filter(({ columns, table }) => table !== chatflows && columns.some(isFlowId))
  for (const each of found) {
    const children = configs.filter((config) =>
      parentsOf(config).some(({ foreignTable }) => foreignTable === each.table),
    )
    found.push(...children.filter((child) => !found.includes(child)))
  }
  const depth = (config: Config): number =>
    1 + Math.max(0, ...parentsOf(config).map(({ foreignTable }) => depthOf(found, foreignTable, depth)))
  return found.toSorted((a, b) => depth(a) - depth(b))
}

function depthOf(found: Config[], table: SQLiteTable, depth: (config: Config) => number): number {
  const config = found.find((each) => each.table === table)
  return config ? depth(config) : 0
}

const rowId = (table: SQLiteTable) => `row of ${getTableConfig(table).name}`

/** A row with a value in every column that needs one. */
function rowOf(config: Config, { flowId, workspaceId }: { flowId: string; workspaceId: string }) {
  const parents = new Map(
    parentsOf(config).flatMap(({ columns, foreignTable }) => columns.map((column) => [column.name, foreignTable])),
  )
  const valueFor = (column: SQLiteColumn): unknown => {
    if (isFlowId(column)) return flowId
    if (column.name === 'workspace_id') return workspaceId
    const parent = parents.get(column.name)
    if (parent) return rowId(parent)
    if (column.name === 'id') return rowId(config.table)
    if (!column.notNull || column.hasDefault) return undefined
    if (column.enumValues?.[0]) return column.enumValues[0]
    return { string: 'x', number: 7, boolean: true, json: {}, custom: new Uint8Array(1) }[column.dataType as string]
  }
  const columns = Object.entries(getTableColumns(config.table) as Record<string, SQLiteColumn>)
  return Object.fromEntries(columns.map(([key, column]) => [key, valueFor(column)]))
}

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

it('deletes a flow together with its rows in every table', async () => {
  const { database } = scene.heddle
  const flowId = await scene.save(chain(start(), directReply('Hi')))
  const [flow] = await database.select().from(chatflows).where(eq(chatflows.id, flowId))
  const target = { flowId, workspaceId: flow?.workspaceId ?? '' }
  const children = tablesOfFlows()
  for (const config of children) await database.insert(config.table).values(rowOf(config, target) as never)
  const countAll = async () => {
    const counts: [string, number][] = []
    for (const { table, name } of children) {
      const rows = await database.all<{ count: number }>(sql`select count(*) as count from ${table}` as SQL)
      counts.push([name, rows[0]?.count ?? 0])
    }
    return counts
  }
  expect((await countAll()).filter(([, count]) => count === 0)).toEqual([])
  expect((await scene.call('DELETE', `/chatflows/${flowId}`)).body).toEqual({ raw: [], affected: 1 })
  expect((await countAll()).filter(([, count]) => count > 0)).toEqual([])
})

it('deletes each table of a flow explicitly, not through cascades of foreign keys', () => {
  const statements = flowDeletions.flatMap((deletion) =>
    deletion(openDatabase('http://localhost'), { workspaceId: 'w' }, 'f'),
  )
  const texts = statements.map((statement) => (statement as unknown as { toSQL(): { sql: string } }).toSQL().sql)
  const missing = tablesOfFlows().filter(({ name }) => !texts.some((text) => text.startsWith(`delete from "${name}"`)))
  expect(missing.map(({ name }) => name)).toEqual([])
})
