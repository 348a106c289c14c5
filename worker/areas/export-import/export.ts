/** Exports a workspace as a bundle: flows without secrets, variables without values. */
import { asc, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { FlowType } from '#contract/chatflows.ts'
import { parseFlowData } from '#contract/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import {
  BUNDLE_KEYS,
  EXPORT_FILE_NAME,
  EXPORT_KIND_NAMES,
  EXPORT_KINDS,
  type ExportAnswer,
  type ExportRequest,
  FLOW_KEYS,
  type FlowKey,
  MAX_BUNDLE_ROWS,
} from '#contract/export-import.ts'
import { exportFlow } from '#contract/flow/document/serialize.ts'
import {
  assistants,
  chatflows,
  chatMessageFeedback,
  chatMessages,
  customTemplates,
  tools,
  variables,
} from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { type Audited, workspaceTarget } from '../../http/audit.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import type { Services } from '../../services.ts'
import { exportedExecutions } from '../executions/index.ts'
import { ASSISTANT_KEYS, assistantItem, templateItem, toolItem } from './assets.ts'
import { exportStores } from './document-stores/read-stores.ts'
import { ASSISTANT_KEY_NAMES } from './plan-items.ts'

/** Contains every key; keys that were not requested are empty. */
export async function exportBundle(
  { db, audit }: Pick<Services, 'db'> & Audited,
  tenant: Tenant,
  asked: ExportRequest,
): Promise<ExportAnswer> {
  const rows = scope(db, tenant)
  const keys = new Set<string>(EXPORT_KIND_NAMES.filter((kind) => asked[kind]).flatMap((kind) => EXPORT_KINDS[kind]))
  const flowKeys = (Object.keys(FLOW_KEYS) as FlowKey[]).filter((key) => keys.has(key))
  const types: FlowType[] = flowKeys.map((key) => FLOW_KEYS[key])
  const { workspaceId: _, ...messageColumns } = getTableColumns(chatMessages)
  const messages = db
    .select(messageColumns)
    .from(chatMessages)
    .where(rows.inWorkspace(chatMessages))
    .orderBy(asc(chatMessages.createdDate), sql`${chatMessages}.rowid`)
    .limit(keys.has('ChatMessage') ? MAX_BUNDLE_ROWS + 1 : 0)
  const { workspaceId: __, ...feedbackColumns } = getTableColumns(chatMessageFeedback)
  const opinions = db
    .select(feedbackColumns)
    .from(chatMessageFeedback)
    .where(rows.inWorkspace(chatMessageFeedback))
    .orderBy(asc(chatMessageFeedback.createdDate))
    .limit(keys.has('ChatMessageFeedback') ? MAX_BUNDLE_ROWS + 1 : 0)
  const assistantTypes = ASSISTANT_KEY_NAMES.filter((key) => keys.has(key)).map((key) => ASSISTANT_KEYS[key])
  const byDate = (table: typeof assistants | typeof customTemplates | typeof tools) => [
    asc(table.createdDate),
    sql`rowid`,
  ]
  const [flows, helpers, templates, ownTools, vars, said, runs, thought] = await db.batch([
    rows.select(chatflows, inArray(chatflows.type, types)).orderBy(asc(chatflows.createdDate), sql`rowid`),
    rows.select(assistants, inArray(assistants.type, assistantTypes)).orderBy(...byDate(assistants)),
    rows.select(customTemplates, keys.has('CustomTemplate') ? undefined : NONE).orderBy(...byDate(customTemplates)),
    rows.select(tools, keys.has('Tool') ? undefined : NONE).orderBy(...byDate(tools)),
    rows.select(variables, keys.has('Variable') ? undefined : NONE).orderBy(asc(variables.name)),
    messages,
    exportedExecutions(db, tenant, keys.has('Execution') ? MAX_BUNDLE_ROWS + 1 : 0),
    opinions,
  ])
  const stores = keys.has('DocumentStore') ? await exportStores(db, tenant, componentDefinitions()) : {}
  const filled = {
    ...stores,
    ...Object.fromEntries(
      flowKeys.map((key) => [key, flows.filter(({ type }) => type === FLOW_KEYS[key]).map(flowItem)]),
    ),
    ...Object.fromEntries(
      ASSISTANT_KEY_NAMES.map((key) => [
        key,
        helpers
          .filter(({ type }) => type === ASSISTANT_KEYS[key])
          .map((row) => assistantItem(row, componentDefinitions())),
      ]),
    ),
    CustomTemplate: templates.map((row) => templateItem(withoutWorkspace(row), componentDefinitions())),
    Tool: ownTools.map(toolItem),
    Variable: vars.map(({ id, name, type }) => ({ id, name, value: '', type })),
    ChatMessage: atMost(said, 'chat messages'),
    ChatMessageFeedback: atMost(thought, 'ratings'),
    Execution: atMost(runs, 'executions'),
  }
  const kinds = EXPORT_KIND_NAMES.filter((kind) => asked[kind])
  await audit({ event: 'workspace.export', target: workspaceTarget(tenant), change: { kinds } })
  const empty = Object.fromEntries(BUNDLE_KEYS.map((key) => [key, []]))
  return { FileDefaultName: EXPORT_FILE_NAME, ...empty, ...filled } as unknown as ExportAnswer
}

const NONE = sql`false`

function withoutWorkspace<Row extends { workspaceId: string }>({ workspaceId: _, ...row }: Row) {
  return row
}

/** Files hold no API keys, so a flow with a key of its own is not open to everyone after an import. */
function flowItem({ id, name, flowData, type, callers, apikeyid }: typeof chatflows.$inferSelect) {
  const exported = exportFlow(parseFlowData(flowData), componentDefinitions())
  const known = apikeyid && callers !== 'members' ? 'keys' : callers
  return { id, name, flowData: JSON.stringify(exported, null, 2), type, callers: known }
}

/** Throws `too_large`, because a partial file would look complete. */
function atMost<Row>(rows: Row[], what: string): Row[] {
  if (rows.length <= MAX_BUNDLE_ROWS) return rows
  throw new HeddleError('too_large', `There are more than ${MAX_BUNDLE_ROWS} ${what}. Export the rest without them`)
}
