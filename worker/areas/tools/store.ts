/** The tools that a workspace wrote itself. */
import { desc, eq, getTableColumns } from 'drizzle-orm'
import type * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import { assetsOfCode } from '#contract/flow/assets/assets.ts'
import type { PageQuery } from '#contract/schemas/page.ts'
import type { createToolSchema, updateToolSchema } from '#contract/tools/schemas.ts'
import { tools } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { forgetUsages, recordUsages, usageCount } from '../usages/index.ts'

type Store = Pick<Services, 'db' | 'clock'>
type Row = typeof tools.$inferSelect

/** Sorted by latest update. With page and limit, returns one page and the total. */
export async function listTools({ db }: Store, tenant: Tenant, { page, limit }: PageQuery) {
  const rows = scope(db, tenant)
  const list = db
    .select({ ...getTableColumns(tools), usageCount: usageCount(db, tenant, { kind: 'tool', asset: tools.id }) })
    .from(tools)
    .where(rows.inWorkspace(tools))
    .orderBy(desc(tools.updatedDate), desc(tools.id))
  if (!page || !limit) return list
  const [data, [total]] = await db.batch([list.limit(limit).offset((page - 1) * limit), rows.count(tools)])
  return { data, total: total?.count ?? 0 }
}

export async function readTool({ db }: Store, tenant: Tenant, id: string): Promise<Row> {
  const [row] = await scope(db, tenant).select(tools, eq(tools.id, id))
  if (!row) throw notFound(id)
  return row
}

export async function createTool(store: Store, tenant: Tenant, values: z.infer<typeof createToolSchema>): Promise<Row> {
  const now = store.clock.now().toISOString()
  const row = { ...values, id: crypto.randomUUID(), createdDate: now, updatedDate: now }
  const added = scope(store.db, tenant).insert(tools, row)
  await store.db.batch([added, ...toolUsages(store.db, tenant, row)])
  return { ...row, workspaceId: tenant.workspaceId }
}

export async function updateTool(
  store: Store,
  tenant: Tenant,
  { id, values }: { id: string; values: z.infer<typeof updateToolSchema> },
): Promise<Row> {
  const updatedDate = store.clock.now().toISOString()
  const changed = scope(store.db, tenant)
    .update(tools, eq(tools.id, id), { ...values, updatedDate })
    .returning()
  const recorded = values.func === undefined ? [] : toolUsages(store.db, tenant, { id, func: values.func })
  const [[row]] = await store.db.batch([changed, ...recorded])
  if (!row) throw notFound(id)
  return row
}

export async function deleteTool({ db }: Store, tenant: Tenant, id: string) {
  const [deleted] = await db.batch([
    scope(db, tenant).delete(tools, eq(tools.id, id)).returning({ id: tools.id }),
    forgetUsages(db, tenant, { kind: 'tool', id }),
  ])
  if (deleted.length === 0) throw notFound(id)
  return { raw: [], affected: deleted.length }
}

/** Returns the statements that record the variables in a tool's code. They run after the one that saves the tool. */
export function toolUsages(db: Store['db'], tenant: Tenant, { id, func }: Pick<Row, 'id' | 'func'>) {
  return recordUsages(db, tenant, { owner: { kind: 'tool', id }, assets: assetsOfCode(func ?? '') })
}

const notFound = (id: string) => new HeddleError('not_found', `Tool ${id} not found`)
