/** Custom assistants. Each runs as a flow of its id, which is drawn anew in the batch that saves the assistant. */
import { and, eq, exists, type SQL, sql } from 'drizzle-orm'
import type { Assistant, CreateAssistant, UpdateAssistant } from '#contract/assistants/assistants.ts'
import { type FlowData, flowDataOf } from '#contract/chatflows/chatflows.ts'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { serializeFlow } from '#contract/flow/document/serialize.ts'
import { FLOW_TYPES } from '#contract/flow/flow-types.ts'
import { type CustomDetails, customDetailsSchema } from '#contract/flow/kinds/assistant/details.ts'
import { drawAssistant } from '#contract/flow/kinds/assistant/draw.ts'
import { assistantFacts } from '#contract/flow/kinds/assistant/facts.ts'
import { assistants, chatflows } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { Audited } from '../../http/audit.ts'
import type { Member } from '../../http/route.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import { createFlow, deleteFlow, type FlowDeletion, type FlowSave, updateFlow } from '../chatflows/index.ts'
import { checked } from './checked.ts'
import { readAssistant, type Store } from './store.ts'

/** The assistant's id names its flow, and whoever may change the assistant may change that flow. */
const ITS_FLOW = [...FLOW_TYPES]

type WritableStore = Store & { saves: readonly FlowSave[] }

/** Throws `bad_request` with the wrong field of the details. */
export async function createCustom(store: WritableStore, member: Member, given: CreateAssistant): Promise<Assistant> {
  const details = checked(customDetailsSchema, given.details)
  const { credential = null, iconSrc = null } = given
  const add: FlowSave = (db, tenant, flow) => {
    const { id, updatedDate } = flow
    const row = { id, credential, iconSrc, type: 'CUSTOM' as const, createdDate: updatedDate, updatedDate }
    return [
      scope(db, tenant).insert(assistants, { ...row, details: printed(details, id) }),
      ...keepStarters(details)(db, tenant, flow),
    ]
  }
  const flow = { name: details.name, flowData: flowOf(details), type: assistantFacts.type }
  const { id } = await createFlow({ ...store, saves: [...store.saves, add] }, member, flow)
  return readAssistant(store, member, id)
}

/** Throws `bad_request` like `createCustom`, and `conflict` when the assistant was saved since `version`. */
export async function updateCustom(
  store: WritableStore,
  member: Member,
  { row, values }: { row: Assistant; values: UpdateAssistant },
): Promise<Assistant> {
  const { id } = row
  const { version, details: given, ...rest } = values
  const stored = tryParseJson(row.details)
  const details = checked(customDetailsSchema, given ?? (isRecord(stored) ? stored : {}))
  const flowData = flowOf(details)
  const update: FlowSave = (db, tenant, flow) => {
    const rows = scope(db, tenant)
    const isSaved = exists(
      db
        .select({ one: sql`1` })
        .from(chatflows)
        .where(rows.foundInWorkspace(chatflows, isSaveOf(flow))),
    )
    const changes = { ...rest, details: printed(details, id), updatedDate: flow.updatedDate }
    return [
      rows.update(assistants, and(eq(assistants.id, id), isSaved), changes),
      ...keepStarters(details)(db, tenant, flow),
    ]
  }
  await updateFlow({ ...store, saves: [...store.saves, update] }, member, {
    id,
    body: { name: details.name, flowData, version },
    allowed: ITS_FLOW,
    isDrawn: true,
  })
  return readAssistant(store, member, id)
}

export async function deleteCustom(
  store: Store & Audited & { deletions: readonly FlowDeletion[] },
  member: Member,
  id: string,
): ReturnType<typeof deleteFlow> {
  const { deletions } = store
  return deleteFlow(store, member, { id, allowed: ITS_FLOW, deletions })
}

/** The assistant goes with its flow. */
export const flowDeletion: FlowDeletion = (db, tenant, flowId) => [
  scope(db, tenant).delete(assistants, and(eq(assistants.id, flowId), eq(assistants.type, 'CUSTOM'))),
]

const flowOf = (details: CustomDetails): FlowData =>
  flowDataOf(JSON.stringify(serializeFlow(drawAssistant(details, componentDefinitions()))))

/** `flowId` is what Flowise calls the flow that the assistant runs as. */
const printed = (details: CustomDetails, id: string) => JSON.stringify({ ...details, flowId: id })

/** The data alone would not do: other details may draw the same flow. */
const isSaveOf = ({ id, flowData, updatedDate }: Parameters<FlowSave>[2]) =>
  and(eq(chatflows.id, id), eq(chatflows.flowData, flowData.text), eq(chatflows.updatedDate, updatedDate)) as SQL

/** Writes the starter questions where chat pages and widgets of Flowise read them; keeps every other chat setting. */
const keepStarters =
  ({ starterPrompts }: CustomDetails): FlowSave =>
  (db, tenant, flow) => {
    const prompts = JSON.stringify(Object.fromEntries(starterPrompts.map((prompt, index) => [index, { prompt }])))
    const config = sql`case when json_valid(${chatflows.chatbotConfig}) and json_type(${chatflows.chatbotConfig}) = 'object' then ${chatflows.chatbotConfig} else '{}' end`
    const chatbotConfig = sql`json_set(${config}, '$.starterPrompts', json(${prompts}))` as unknown as string
    return [scope(db, tenant).update(chatflows, isSaveOf(flow), { chatbotConfig })]
  }
