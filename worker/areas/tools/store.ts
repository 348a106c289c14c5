/** The tools that a workspace wrote itself. */
import { desc, eq, getTableColumns } from 'drizzle-orm'
import type * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import type { PageQuery } from '#contract/schemas/page.ts'
import type { createToolSchema, updateToolSchema } from '#contract/tools/schemas.ts'
import { tools } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { usageCount } from '../usages/index.ts'

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
  await scope(store.db, tenant).insert(tools, row)
  return { ...row, workspaceId: tenant.workspaceId }
}

export async function updateTool(
  store: Store,
  tenant: Tenant,
  { id, values }: { id: string; values: z.infer<typeof updateToolSchema> },
): Promise<Row> {
  const updatedDate = store.clock.now().toISOString()
  const [row] = await scope(store.db, tenant)
    .update(tools, eq(tools.id, id), { ...values, updatedDate })
    .returning()
  if (!row) throw notFound(id)
  return row
}

export async function deleteTool({ db }: Store, tenant: Tenant, id: string) {
  const deleted = await scope(db, tenant).delete(tools, eq(tools.id, id)).returning({ id: tools.id })
  if (deleted.length === 0) throw notFound(id)
  return { raw: [], affected: deleted.length }
}

const notFound = (id: string) => new HeddleError('not_found', `Tool ${id} not found`)
