/** Flows of one workspace. A save is one conditional UPDATE; the reason of a refusal is only looked up when it changed nothing. */
import { and, eq, getTableColumns, inArray, notInArray, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Chatflow, CreateFlow, FlowData, UpdateFlow } from '#contract/chatflows/chatflows.ts'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { HeddleError } from '#contract/errors.ts'
import { FLOW_TYPES, type FlowType } from '#contract/flow/flow-types.ts'
import { factsOf } from '#contract/flow/kinds/facts.ts'
import type { Database } from '#db/client.ts'
import { apikeys, chatflows } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { type AuditEntry, type Audited, anyChanges, changeOfFields, fieldChange, fieldsOf } from '../../http/audit.ts'
import type { Member } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { assertAllowed } from './access.ts'
import { type DraftSources, keepSourceBytes } from './source-statements.ts'
import { documentColumns } from './summary.ts'
import { hasUnpublishedChanges, keepDraft, pruneVersions } from './version-statements.ts'

export type Store = Pick<Services, 'db' | 'clock'>
export interface SavedFlow {
  id: string
  /** The statements must change nothing unless the flow holds this data: its save may have been refused. */
  flowData: FlowData
  updatedDate: string
  isImported?: boolean
}

/** Returns the statements that update an area's rows of a flow. They run in the batch that saves the flow. */
export type FlowSave = (db: Database, tenant: Tenant, flow: SavedFlow) => BatchItem<'sqlite'>[]

/** A flow that is about to be saved. */
export interface UnsavedFlow {
  flowData: FlowData
  /** Absent for a new flow. */
  id?: string
  /** The version that the save is based on, if its caller said so. */
  version?: number
  /** Another flow of the workspace, which a new one takes its files from. */
  copyOf?: string
}

/**
 * Keeps the files that the nodes of a flow hold as text. Returns the flow that names them instead, and what the save
 * needs for it: its statements, and the version that it must still find.
 */
export type KeepFiles = (
  services: Services,
  tenant: Tenant,
  flow: UnsavedFlow,
) => Promise<{ flowData: FlowData; saves: FlowSave[]; version?: number }>

export interface WritableStore extends Store {
  saves: readonly FlowSave[]
  /** Those of the version before by default; of a new flow none. */
  sources?: DraftSources
}

const notFound = (id: string) => new HeddleError('not_found', `Flow ${id} not found`)

/** Types of flows that an assistant's form draws. */
const FORM_TYPES = FLOW_TYPES.filter((type) => factsOf(type).editor === 'form')
export const isDrawnByPeople = notInArray(chatflows.type, FORM_TYPES)

export async function readFlow({ db }: Store, tenant: Tenant, id: string): Promise<Chatflow> {
  const [row] = await flowQuery(db, tenant, eq(chatflows.id, id))
  if (!row) throw notFound(id)
  return row
}

const { incarnation: _, mcpServer: __, conversationSecret: ___, summary: ____, ...shown } = getTableColumns(chatflows)

/** The columns that the API answers with. */
export const answeredColumns = shown

/** Selects flows in the shape of the API. */
export function flowQuery(db: Database, tenant: Tenant, condition: SQL | undefined) {
  return db
    .select({ ...answeredColumns, hasUnpublishedChanges: hasUnpublishedChanges(db) })
    .from(chatflows)
    .where(scope(db, tenant).inWorkspace(chatflows, condition))
}

type FlowHead = Pick<Chatflow, 'id' | 'type' | 'version' | 'updatedDate'>

/** Reads a flow without its data. Throws `not_found` when it does not exist. */
export async function readFlowHead({ db }: Pick<Services, 'db'>, tenant: Tenant, id: string): Promise<FlowHead> {
  const { type, version, updatedDate } = chatflows
  const [row] = await db
    .select({ id: chatflows.id, type, version, updatedDate })
    .from(chatflows)
    .where(scope(db, tenant).inWorkspace(chatflows, eq(chatflows.id, id)))
  if (!row) throw notFound(id)
  return row
}

/** `audit` may be left out for flows that nobody chose callers of. */
export async function createFlow(
  store: WritableStore & Partial<Audited>,
  member: Member,
  flow: Omit<CreateFlow, 'copyOf' | 'sources'>,
): Promise<Chatflow> {
  const { db, clock, saves, sources = [] } = store
  const { versionNote: note, flowData, ...values } = flow
  await assertOwnKey(store, member, values.apikeyid)
  const now = clock.now().toISOString()
  const id = crypto.randomUUID()
  const shared = sharedFields(values)
  const isShared = Object.keys(shared).length > 0
  const event: AuditEntry = { event: 'flow.share', target: { id, name: flow.name }, change: shared }
  const [, , , [row]] = await db.batch([
    scope(db, member).insert(chatflows, {
      ...{ ...values, ...documentColumns(flowData) },
      ...{ id, createdDate: now, updatedDate: now },
    }),
    ...keepDraft(db, member, { flowId: id, note, sources }),
    flowQuery(db, member, eq(chatflows.id, id)),
    ...keptBytes(db, member, { flowId: id, sources }),
    ...saves.flatMap((save) => save(db, member, { id, flowData, updatedDate: now })),
    ...(isShared && store.audit ? [store.audit(event)] : []),
  ])
  return row as Chatflow
}

const keptBytes = (db: Database, tenant: Tenant, { flowId, sources }: { flowId: string; sources: DraftSources }) =>
  Array.isArray(sources) && sources.length > 0 ? [keepSourceBytes(db, tenant, { flowId, sources })] : []

/** Access settings chosen for a new flow, as `[before, after]` by field. */
function sharedFields({ callers, apikeyid, isPublic, chatbotConfig }: Partial<CreateFlow>) {
  const origins = allowedOrigins(chatbotConfig ?? null)
  const chosen = {
    callers: callers === 'keys' ? null : callers,
    apikeyid,
    isPublic: isPublic || null,
    allowedOrigins: origins && JSON.parse(origins),
  }
  const given = Object.entries(chosen).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, [null, value]]))
}

/**
 * Throws `conflict` with `currentVersion` and `updatedDate` when the flow was saved since `version`. `audit` may be left
 * out by changes that leave as it is who may call the flow.
 */
export async function updateFlow(
  store: WritableStore & Partial<Audited>,
  member: Member,
  change: FlowChange,
): Promise<Chatflow> {
  const { db, clock, saves, sources = 'kept' } = store
  const { version, type, versionNote: note, flowData, ...values } = change.body
  const updatedDate = clock.now().toISOString()
  await assertOwnKey(store, member, values.apikeyid)
  const condition = and(
    eq(chatflows.id, change.id),
    inArray(chatflows.type, change.allowed),
    type ? eq(chatflows.type, type) : undefined,
    isForAssistant(change) ? isDrawnByPeople : undefined,
    version === undefined ? undefined : eq(chatflows.version, version),
  )
  const update = scope(db, member).update(chatflows, condition, {
    ...values,
    ...(flowData && documentColumns(flowData)),
    version: sql`${chatflows.version} + 1` as unknown as number,
    updatedDate,
  })
  const events = store.audit ? [store.audit(shareEvent(db, member, { ...change, condition }))] : []
  const statements = [
    ...events,
    update.returning({ id: chatflows.id }),
    ...keepDraft(db, member, { flowId: change.id, note, sources, isSaved: sql`changes() > 0` }),
    pruneVersions(db, member, change.id),
    flowQuery(db, member, eq(chatflows.id, change.id)),
    ...keptBytes(db, member, { flowId: change.id, sources }),
    ...saves.flatMap((save) => (flowData ? save(db, member, { id: change.id, flowData, updatedDate }) : [])),
  ]
  const results = await db.batch(statements as [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]])
  const [saved, , , , [row]] = results.slice(events.length) as [{ id: string }[], unknown, unknown, unknown, Chatflow[]]
  return saved[0] && row ? row : explainRefusal(await readFlowHead(store, member, change.id), change)
}

/** A save shares the flow when it changes who may call it. */
function shareEvent(
  db: Database,
  tenant: Tenant,
  { id, body, condition }: FlowChange & { condition: SQL | undefined },
): AuditEntry {
  const { callers, apikeyid, isPublic, chatbotConfig } = body
  const fields = fieldsOf(chatflows, { callers, apikeyid, isPublic })
  if (chatbotConfig !== undefined) {
    const stored = sql`iif(json_valid(${chatflows.chatbotConfig}), ${chatflows.chatbotConfig} -> '$.allowedOrigins', null)`
    fields.push(fieldChange('allowedOrigins', sql`json(${stored})`, sql`json(${allowedOrigins(chatbotConfig)})`))
  }
  const where = scope(db, tenant).inWorkspace(chatflows, and(condition, anyChanges(fields)))
  const target = { id, name: chatflows.name, of: chatflows, where }
  return { event: 'flow.share', target, change: changeOfFields(fields) }
}

function allowedOrigins(chatbotConfig: string | null): string | null {
  const config = tryParseJson(chatbotConfig ?? '')
  return isRecord(config) && config.allowedOrigins !== undefined ? JSON.stringify(config.allowedOrigins) : null
}

interface FlowChange {
  id: string
  body: Omit<UpdateFlow, 'sources'>
  allowed: FlowType[]
  /** The change comes from the assistant that the flow is drawn from. */
  isDrawn?: true
}

/** True for a change that an assistant's flow takes from its assistant only. */
const isForAssistant = ({ body, isDrawn }: FlowChange) => !isDrawn && (body.flowData ?? body.name) !== undefined

function explainRefusal(current: FlowHead, change: FlowChange): never {
  const { body, allowed } = change
  assertAllowed(current.type, allowed)
  if (FORM_TYPES.includes(current.type) && isForAssistant(change)) {
    throw new HeddleError('bad_request', 'This flow is drawn from its assistant. Save the assistant instead')
  }
  if (body.type && body.type !== current.type) {
    throw new HeddleError('bad_request', `type: The type of a flow cannot be changed from ${current.type}`, {
      field: 'type',
    })
  }
  throw new HeddleError(
    'conflict',
    'This flow was saved by someone else in the meantime. Reload it, or save again to overwrite their changes',
    {
      currentVersion: current.version,
      updatedDate: current.updatedDate,
    },
  )
}

/** A flow can be bound only to a key of its own workspace. */
async function assertOwnKey({ db }: Store, tenant: Tenant, apikeyid: string | null | undefined): Promise<void> {
  if (!apikeyid) return
  const [key] = await scope(db, tenant).select(apikeys, eq(apikeys.id, apikeyid))
  if (!key) throw new HeddleError('bad_request', 'apikeyid: API key not found', { field: 'apikeyid' })
}
