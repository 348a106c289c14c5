/** Variables of one workspace; names are unique. */
import { desc, eq, getTableColumns } from 'drizzle-orm'
import type * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import type { PageQuery } from '#contract/schemas/page.ts'
import type { createVariableSchema, updateVariableSchema, Variable } from '#contract/variables.ts'
import { variables } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { isUniqueViolation } from '#db/unique-violation.ts'
import type { Services } from '../../services.ts'
import { usageCount } from '../usages/index.ts'

type Store = Pick<Services, 'db' | 'clock'>
const { encryptedValue: _, ...answered } = getTableColumns(variables)

/** Sorted by latest update. With page and limit, returns one page and the total. */
export async function listVariables({ db }: Store, tenant: Tenant, { page, limit }: PageQuery) {
  const rows = scope(db, tenant)
  const list = db
    .select({
      ...answered,
      usageCount: usageCount(db, tenant, { kind: 'variable', asset: variables.name }),
    })
    .from(variables)
    .where(rows.inWorkspace(variables))
    .orderBy(desc(variables.updatedDate), desc(variables.id))
  if (!page || !limit) return list
  const [data, [total]] = await db.batch([list.limit(limit).offset((page - 1) * limit), rows.count(variables)])
  return { data, total: total?.count ?? 0 }
}

export async function createVariable(
  store: Store,
  tenant: Tenant,
  values: z.infer<typeof createVariableSchema>,
): Promise<Variable> {
  const now = store.clock.now().toISOString()
  const [row] = await scope(store.db, tenant)
    .insert(variables, { ...values, id: crypto.randomUUID(), createdDate: now, updatedDate: now })
    .onConflictDoNothing()
    .returning(answered)
  if (!row) throw nameTaken(values.name)
  return row
}

export async function updateVariable(
  store: Store,
  tenant: Tenant,
  change: { id: string; values: z.infer<typeof updateVariableSchema> },
): Promise<Variable> {
  const updatedDate = store.clock.now().toISOString()
  try {
    const [row] = await scope(store.db, tenant)
      .update(variables, eq(variables.id, change.id), { ...change.values, updatedDate })
      .returning(answered)
    if (row) return row
  } catch (error) {
    if (isUniqueViolation(error)) throw nameTaken(change.values.name ?? '')
    throw error
  }
  throw new HeddleError('not_found', `Variable ${change.id} not found`)
}

export async function deleteVariable({ db }: Store, tenant: Tenant, id: string) {
  const deleted = await scope(db, tenant).delete(variables, eq(variables.id, id)).returning({ id: variables.id })
  if (deleted.length === 0) throw new HeddleError('not_found', `Variable ${id} not found`)
  return { raw: [], affected: deleted.length }
}

const nameTaken = (name: string) =>
  new HeddleError('bad_request', `name: A variable named ${name} already exists. Choose another name`, {
    field: 'name',
  })
