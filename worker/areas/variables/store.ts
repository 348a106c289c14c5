/** Variables of one workspace; names are unique. The values of secrets are encrypted, and only flows read them. */
import { and, desc, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import type { PageQuery } from '#contract/schemas/page.ts'
import {
  type createVariableSchema,
  type ListedVariable,
  MAX_SECRET_LENGTH,
  MAX_VARIABLES,
  MAX_VARIABLES_BYTES,
  MIN_SECRET_LENGTH,
  type updateVariableSchema,
  VARIABLES_FULL,
  type Variable,
} from '#contract/variables/variables.ts'
import { variables, workspaces } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { isUniqueViolation } from '#db/unique-violation.ts'
import { sealVariable } from '../../components/secret-variables.ts'
import { type Audited, changeOf } from '../../http/audit.ts'
import type { Services } from '../../services.ts'
import { usageCount } from '../usages/index.ts'

type Store = Pick<Services, 'db' | 'clock' | 'cipher'>
type AuditedStore = Store & Audited
type Type = Variable['type']

const { encryptedValue: _, ...columns } = getTableColumns(variables)
const answerColumns = {
  ...columns,
  hasValue: sql<boolean>`(${variables.type} <> 'secret' or ${variables.encryptedValue} is not null)`
    .mapWith(Boolean)
    .as('has_value'),
}

/** Sorted by latest update. With page and limit, returns one page and the total. */
export async function listVariables({ db }: Store, tenant: Tenant, { page, limit }: PageQuery) {
  const rows = scope(db, tenant)
  const list = db
    .select({ ...answerColumns, usageCount: usageCount(db, tenant, { kind: 'variable', asset: variables.name }) })
    .from(variables)
    .where(rows.inWorkspace(variables))
    .orderBy(desc(variables.updatedDate), desc(variables.id))
  if (!page || !limit) return list
  const [data, [total]] = await db.batch([list.limit(limit).offset((page - 1) * limit), rows.count(variables)])
  return { data, total: total?.count ?? 0 } satisfies { data: ListedVariable[]; total: number }
}

export async function createVariable(
  store: AuditedStore,
  tenant: Tenant,
  { name, type, value }: z.infer<typeof createVariableSchema>,
): Promise<Variable> {
  const stored = type === 'secret' ? await sealed(store, tenant, value) : { value }
  const now = store.clock.now().toISOString()
  const id = crypto.randomUUID()
  const rows = scope(store.db, tenant)
  const isNew = eq(variables.id, id)
  const values = { name, type, ...stored, id, createdDate: now, updatedDate: now }
  const insert = rows.insertFound(variables, {
    values: Object.fromEntries(Object.entries(values).map(([column, one]) => [column, sql`${one}`])),
    from: sql`where ${otherBytes(store, tenant, id)} + ${bytesOf(stored)} <= ${MAX_VARIABLES_BYTES}
      and ${rows.count(variables)} < ${MAX_VARIABLES}`,
  })
  const event = store.audit({
    event: 'variable.create',
    target: { id, name: variables.name, of: variables, where: rows.inWorkspace(variables, isNew) },
    change: { type: [null, type] },
  })
  const answer = store.db.select(answerColumns).from(variables).where(rows.inWorkspace(variables, isNew))
  try {
    const [, , [row]] = await store.db.batch([insert, event, answer])
    if (row) return row
  } catch (error) {
    throw isUniqueViolation(error, variables.name) ? nameTaken(name) : error
  }
  throw full()
}

/** Selects the bytes of the workspace's other values. */
const otherBytes = ({ db }: Store, tenant: Tenant, id: string) => {
  const bytes = sql<number>`coalesce(sum(octet_length(${variables.value}) + coalesce(octet_length(${variables.encryptedValue}), 0)), 0)`
  return db
    .select({ bytes })
    .from(variables)
    .where(scope(db, tenant).inWorkspace(variables, ne(variables.id, id)))
}

interface Stored {
  value?: string
  encryptedValue?: string | null
}

const bytesOf = ({ value = '', encryptedValue }: Stored): number =>
  new TextEncoder().encode(value + (encryptedValue ?? '')).length

const full = () => new HeddleError('bad_request', `value: ${VARIABLES_FULL}`, { field: 'value' })

/** Changes a variable. One that becomes a secret keeps its value; one that ceases to be a secret loses it. */
export async function updateVariable(
  store: AuditedStore,
  tenant: Tenant,
  { id, values }: { id: string; values: z.infer<typeof updateVariableSchema> },
): Promise<Variable> {
  const rows = scope(store.db, tenant)
  const [[current], [others]] = await store.db.batch([
    rows.select(variables, eq(variables.id, id)),
    otherBytes(store, tenant, id),
  ])
  if (!current) throw notFound(id)
  const stored: Stored = await changedValue(store, tenant, { ...values, current: current as Current })
  const bytes = bytesOf(stored)
  if (bytes > bytesOf(current as Stored) && bytes + (others?.bytes ?? 0) > MAX_VARIABLES_BYTES) throw full()
  const updatedDate = store.clock.now().toISOString()
  // The type is compared, so that a value that is to be stored as it is never meets what has just become a secret.
  const isAsRead = and(eq(variables.id, id), eq(variables.type, current.type as Type))
  const { name, type } = values
  const event = store.audit({
    event: 'variable.update',
    target: { id, name: variables.name, of: variables, where: rows.inWorkspace(variables, isAsRead) },
    change: changeOf(variables, { name, type }, 'value' in stored || 'encryptedValue' in stored ? ['value'] : []),
  })
  const update = rows.update(variables, isAsRead, {
    ...(name !== undefined && { name }),
    ...(type !== undefined && { type }),
    ...stored,
    updatedDate,
  })
  try {
    const [, [row]] = await store.db.batch([event, update.returning(answerColumns)])
    if (row) return row
  } catch (error) {
    if (isUniqueViolation(error, variables.name)) throw nameTaken(values.name ?? '')
    throw error
  }
  throw new HeddleError('conflict', 'This variable was changed by someone else in the meantime. Reload it')
}

type Current = Pick<typeof variables.$inferSelect, 'type' | 'value'>

/** Returns the columns of the value that change. */
function changedValue(
  store: Store,
  tenant: Tenant,
  { type, value, current }: { type?: Type; value?: string; current: Current },
) {
  const isSecret = (type ?? current.type) === 'secret'
  if (current.type !== 'secret') {
    if (isSecret) return sealed(store, tenant, value || current.value)
    return value === undefined ? {} : { value }
  }
  if (!isSecret) return { value: value ?? '', encryptedValue: null }
  return value ? sealed(store, tenant, value) : {}
}

async function sealed({ db, cipher }: Store, { workspaceId }: Tenant, value: string) {
  const length = value.trim().length
  if (length < MIN_SECRET_LENGTH || value.length > MAX_SECRET_LENGTH) {
    const message =
      length < MIN_SECRET_LENGTH
        ? `value: A secret needs at least ${MIN_SECRET_LENGTH} characters, because shorter texts cannot be hidden in traces`
        : `value: A secret may have at most ${MAX_SECRET_LENGTH} characters`
    throw new HeddleError('bad_request', message, { field: 'value' })
  }
  const [workspace] = await db
    .select({ wrappedKey: workspaces.wrappedKey })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId))
  if (!workspace) throw new HeddleError('not_found', 'Workspace not found')
  return { value: '', encryptedValue: await sealVariable(value, { cipher, ...workspace }) }
}

export async function deleteVariable({ db, audit }: AuditedStore, tenant: Tenant, id: string) {
  const rows = scope(db, tenant)
  const isNamed = eq(variables.id, id)
  const target = { id, name: variables.name, of: variables, where: rows.inWorkspace(variables, isNamed) }
  const [, deleted] = await db.batch([
    audit({ event: 'variable.delete', target }),
    rows.delete(variables, isNamed).returning({ id: variables.id }),
  ])
  if (deleted.length === 0) throw notFound(id)
  return { raw: [], affected: deleted.length }
}

const notFound = (id: string) => new HeddleError('not_found', `Variable ${id} not found`)

const nameTaken = (name: string) =>
  new HeddleError('bad_request', `name: A variable named ${name} already exists. Choose another name`, {
    field: 'name',
  })
