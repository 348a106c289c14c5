/** The audit log: who changed what, written in the batch of the change. */
import { eq, getTableColumns, is, SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Context } from 'hono'
import type { AuditEvent } from '#contract/organization/audit.ts'
import { apikeys, auditEvents, workspaces } from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import type { Services } from '../services.ts'
import { callerAddress } from './caller-address.ts'
import type { Actor, AppEnv, DirectoryActor, Member } from './route.ts'

/** Reasons why calls leave no event. */
export const auditExempt = {
  read: { none: 'It changes nothing' },
  run: { none: 'The execution that it starts keeps what was done' },
  content: { none: 'It is what people work on, not who may do what' },
  session: { none: 'Login activity keeps it' },
  caller: { none: 'It is called from outside, for no member' },
} as const

export interface AuditEntry {
  event: AuditEvent
  target: { id: string; name: string } | AuditedRow
  /** What became of which field, or `changeOf` its row. Never a secret, nor a hash of one. */
  change?: Record<string, unknown> | SQL<string>
  /** The event is the organization's, not that of the actor's workspace. Always so for directories. */
  ofOrganization?: true
}

/** A row as it is before the change. There is no event when the condition finds none. */
export interface AuditedRow {
  id: string
  name: SQLiteColumn
  of: SQLiteTable
  /** That of the change, held to its workspace or organization. */
  where: SQL | undefined
}

/** Makes the statement of an event. */
type Audit = (entry: AuditEntry) => BatchItem<'sqlite'>

export interface Audited {
  audit: Audit
}

/** An identity provider, which changes an organization by who signs in there. */
interface ProviderActor {
  kind: 'system'
  id: string
  name: string
  organizationId: string
}

/** What an event says of its actor. */
type AuditActor =
  | Pick<Extract<Actor, { kind: 'user' }>, 'kind' | 'userId' | 'name' | 'workspaceId'>
  | Pick<Extract<Actor, { kind: 'apiKey' }>, 'kind' | 'keyId' | 'workspaceId'>
  | DirectoryActor
  | ProviderActor

/** Adds to the services what records the events of a member. */
export const withAudit = (c: Context<AppEnv>, actor: Member): Services & Audited => ({
  ...c.get('services'),
  audit: (entry) => auditEvent(c, actor, entry),
})

/**
 * Returns the statement that records an event. Run it in the batch of the change. Whenever the change may
 * find nothing to change, name the row and the condition, and run the statement right before the change: so what was
 * refused or not found leaves no event.
 */
export const auditEvent = (c: Context<AppEnv>, actor: AuditActor, entry: AuditEntry) =>
  eventStatement(c.get('services'), { ...callOf(c), actor }, entry)

/** The part of an event about the call that began it. */
export interface AuditedCall {
  requestId: string
  address: string | null
}

export const callOf = (c: Context<AppEnv>): AuditedCall => ({
  requestId: c.get('requestId'),
  address: callerAddress(c),
})

/** Works as `withAudit` does, for work that a call began and that continues after its answer. */
export const withAuditOf = <Given extends Pick<Services, 'db' | 'clock'>>(
  services: Given,
  begun: AuditedCall & { actor: AuditActor },
): Given & Audited => ({ ...services, audit: (entry) => eventStatement(services, begun, entry) })

function eventStatement(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { requestId, address, actor }: AuditedCall & { actor: AuditActor },
  entry: AuditEntry,
) {
  const handle = acrossOrganizations(db, 'an event belongs to the organization of its actor')
  const { target, change = null } = entry
  const values: Record<keyof typeof auditEvents.$inferInsert, unknown> = {
    id: crypto.randomUUID(),
    ...placed(actor, entry),
    actorKind: actor.kind,
    ...named(actor),
    event: entry.event,
    targetId: target.id,
    targetName: target.name,
    change: change === null || is(change, SQL) ? change : JSON.stringify(change),
    ...{ requestId, address },
    createdDate: clock.now().toISOString(),
  }
  const columns = Object.keys(getTableColumns(auditEvents)) as (keyof typeof values)[]
  const selected = sql.join(
    columns.map((column) => sql`${values[column]}`),
    sql`, `,
  )
  const source = 'of' in target ? sql` from ${target.of} where ${target.where}` : sql``
  return handle.insert(auditEvents).select(sql`select ${selected}${source}`)
}

/** The actor's workspace as the target. */
export const workspaceTarget = ({ workspaceId }: { workspaceId: string }): AuditedRow => ({
  ...{ id: workspaceId, name: workspaces.name, of: workspaces },
  where: eq(workspaces.id, workspaceId),
})

/**
 * Returns the change of an audited row: `[before, after]` of each column that gets another value, and null for each of
 * `hidden`, fields that change and whose values nobody may read.
 */
export function changeOf<Table extends SQLiteTable>(
  table: Table,
  after: Partial<Record<keyof Table['$inferInsert'], unknown>>,
  hidden: readonly string[] = [],
): SQL<string> {
  return changeOfFields([
    ...fieldsOf(table, after),
    ...hidden.map((name) => sql`select ${name} as field, 'null' as change`),
  ])
}

/** Returns the fields among `after` that get another value, for `changeOfFields` and `anyChanges`. */
export function fieldsOf<Table extends SQLiteTable>(
  table: Table,
  after: Partial<Record<keyof Table['$inferInsert'], unknown>>,
): SQL[] {
  const columns = getTableColumns(table)
  return Object.entries(after).flatMap(([name, value]) => {
    const column = columns[name]
    if (!column || value === undefined) return []
    if (column.dataType !== 'json') return [fieldChange(name, sql`${column}`, sql`${asStored(value)}`)]
    return [fieldChange(name, sql`json(${column})`, sql`json(${value === null ? null : JSON.stringify(value)})`)]
  })
}

export const fieldChange = (name: string, before: SQL, after: SQL): SQL =>
  sql`select ${name} as field, json_array(${before}, ${after}) as change where ${before} is not ${after}`

export const changeOfFields = (fields: SQL[]): SQL<string> =>
  fields.length === 0
    ? sql`'{}'`
    : sql`(select json_group_object(field, json(change)) from (${sql.join(fields, sql` union all `)}))`

export const anyChanges = (fields: SQL[]): SQL =>
  fields.length === 0 ? sql`false` : sql`exists (${sql.join(fields, sql` union all `)})`

const asStored = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)

function placed(actor: AuditActor, { ofOrganization }: AuditEntry) {
  if (!('workspaceId' in actor)) return { organizationId: actor.organizationId, workspaceId: null }
  const { workspaceId } = actor
  const organizationId = sql`(select ${workspaces.organizationId} from ${workspaces} where ${eq(workspaces.id, workspaceId)})`
  return { organizationId, workspaceId: ofOrganization ? null : workspaceId }
}

function named(actor: AuditActor) {
  if (actor.kind === 'system') return { actorId: actor.id, actorName: actor.name }
  if (actor.kind === 'user') return { actorId: actor.userId, actorName: actor.name }
  if (actor.kind === 'directory') return { actorId: actor.tokenId, actorName: actor.name }
  const keyName = sql<string>`coalesce((select ${apikeys.keyName} from ${apikeys} where ${eq(apikeys.id, actor.keyId)}), '')`
  return { actorId: actor.keyId, actorName: keyName }
}
