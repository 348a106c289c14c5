/** Plans the rows and the report of an import before anything is written. Pure. */

import {
  type Bundle,
  type Choice,
  FLOW_KEYS,
  type FlowItem,
  type FlowKey,
  type ImportedFlow,
} from '#contract/export-import/export-import.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { parseFlow } from '#contract/flow/document/parse.ts'
import { kindOf, kindOfDocument, WITHOUT_ITS_ASSISTANT, whyNotRun } from '#contract/flow/kinds/index.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { SourceFile } from '#contract/flow/sources.ts'
import { importReport } from '#contract/flow/transfer/report.ts'
import { ASSISTANT_KEYS } from './assets.ts'
import { type ChunkSums, chunkSums } from './document-stores/chunk-sums.ts'
import { type PlannedStore, planStores, storePartsToRename } from './document-stores/plan-stores.ts'
import type { OpenChunkTaker } from './document-stores/take-chunks.ts'
import { type FlowAccess, importedAccess, isMoreThanRestrictions } from './flow-access.ts'
import { typeOfItem } from './flow-lists.ts'
import { isUuid, type Renaming, renameIds } from './ids.ts'
import type { Decided, Planned } from './items.ts'
import { leftOutList } from './left-out.ts'
import { noteList, unknownKeys, unknownLists } from './notes.ts'
import { drawAssistants, parseFlowId } from './plan-assistants.ts'
import { type BulkContext, bulkIdsToRename, takeBulk } from './plan-bulk.ts'
import {
  ASSISTANT_KEY_NAMES,
  type DecidedItems,
  decideItems,
  type Present,
  reportedItems,
  wrong,
} from './plan-items.ts'
import type { ImportPlan, ItemPlan } from './planned.ts'
import { ownIds, type Taking } from './take-rows.ts'

/** The ids and names that already exist in the workspace or anywhere in the database. */
export interface ImportContext extends Present, BulkContext {
  /** The ids of the file that rows of any workspace have, or had in another one. */
  taken: ReadonlySet<string>
  flowIds: ReadonlySet<string>
  flowNames: ReadonlySet<string>
}

interface Planning {
  runContext: ImportContext
  components: readonly ComponentDefinition[]
  newId(): string
}

/** Returns the ids that rows of the file keep if they are free. */
export function idsOf(bundle: Bundle): string[] {
  const assets = [
    bundle.CustomTemplate,
    bundle.DocumentStore,
    bundle.Tool,
    ...ASSISTANT_KEY_NAMES.map((key) => bundle[key]),
  ]
  const bulk = [bundle.ChatMessage, bundle.ChatMessageFeedback, bundle.Execution]
  const rows = [bundle.Variable, ...assets, ...bulk, ...FLOW_KEYS.map((key) => bundle[key])]
  return rows.flat().flatMap(({ id }) => (typeof id === 'string' ? id : []))
}

/**
 * @throws HeddleError `bad_request` that names the invalid flow or choice. Nothing of such a file is imported.
 */
export function planImport(bundle: Bundle, planning: Planning): ImportPlan {
  const sums = chunkSums()
  sums.add(bundle.DocumentStoreFileChunk)
  const { take, openChunks, finish } = planItems(bundle, { ...planning, chunks: sums })
  const chunks = openChunks()(bundle.DocumentStoreFileChunk)
  const bulk = takeBulk(bundle, take, planning.runContext)
  const counted = { ChatMessage: bulk.messages, ChatMessageFeedback: bulk.feedback, Execution: bulk.executions }
  const lengths = Object.entries(counted).map(([key, rows]) => [key, rows.length])
  return { ...finish(Object.fromEntries(lengths) as BulkCounts), ...bulk, chunks }
}

type BulkCounts = Record<'ChatMessage' | 'ChatMessageFeedback' | 'Execution', number>

interface ItemPlanning {
  /** Takes the rows that follow the flows. */
  take: Taking
  openChunks: OpenChunkTaker
  /** Call it once, when all of those rows were taken. */
  finish(bulk: BulkCounts): ItemPlan
}

/**
 * Plans the items of a file, in whose lists of other rows those suffice whose ids are not free.
 * @throws HeddleError as `planImport`
 */
export function planItems(
  bundle: Bundle,
  { runContext, components, newId, chunks }: Planning & { chunks: ChunkSums },
): ItemPlanning {
  const list = leftOutList()
  const notes = noteList()
  const items = decideItems(bundle, { present: runContext, components, list, notes, chunks })
  const renamed = new Set(itemIdsToRename(items, runContext.taken))
  for (const id of bulkIdsToRename(bundle, { runContext, renamed })) renamed.add(id)
  for (const id of storePartsToRename(items.stores, bundle.DocumentStoreFileChunk, runContext.stores)) renamed.add(id)
  const renaming = renameIds(renamed, newId, joinedIds(items))
  const opened = items.flows.map((decided) => openItem(decided, { bundle, renaming }))
  const added = opened.filter(({ choice }) => choice !== 'skip')
  const own = items.assistants.filter(({ item }) => item.choice !== 'skip').map(({ id }) => renaming.renamedId(id))
  const flowIds = new Set([...runContext.flowIds, ...added.map(({ newId: id }) => id), ...own])
  const kept = keptNotes(added, drawnIdsOf(items, renaming))
  for (const note of [...missingNotes(bundle), ...kept, ...unknownLists(bundle)]) notes.add(note)
  const take: Taking = { renaming, list, flowIds, newId, notes }
  const { stores, openChunks } = planStores(items.stores, { take, present: runContext.stores, components, chunks })
  const finish = (bulk: BulkCounts) =>
    finishPlan({ items, opened, added, stores, take, bulk }, { runContext, components, newId })
  return { take, openChunks, finish }
}

interface Finishing {
  items: DecidedItems
  opened: OpenedFlow[]
  added: OpenedFlow[]
  stores: PlannedStore[]
  take: Taking
  bulk: BulkCounts
}

function finishPlan(
  { items, opened, added, stores, take, bulk }: Finishing,
  { runContext, components }: Planning,
): ItemPlan {
  const { list, notes, flowIds } = take
  const assets = planAssets(items, { take, runContext })
  const flows = added.map(({ key, type, newId: id, name, access, flow, sources, choice }) => ({
    ...{ key, id, name, type, access, sources },
    flowData: JSON.stringify(flow),
    isReplacing: choice === 'replace',
  }))
  const assetIds = [...runContext.assetIds, ...assets.tools.map(({ id }) => id)]
  const storeIds = [...runContext.stores.ids, ...stores.map(({ store }) => store.id)]
  const knownIds = new Set([...flowIds, ...runContext.credentialIds, ...assetIds, ...storeIds])
  const context = { runContext, components, knownIds, drawnIds: drawnIdsOf(items, take.renaming) }
  return {
    ...{ ...assets, stores },
    ...drawAssistants(assets.assistants, { flows, present: runContext.flows, components }),
    report: {
      imported: counts({ flows: added, assets, bulk, stores }),
      flows: opened.map((flow) => reportOf(flow, context)),
      items: reportedItems(items),
      leftOut: list.entries(),
      notes: notes.entries(),
    },
  }
}

/** Returns the ids of the custom assistants that are imported, whose flows are drawn anew. */
function drawnIdsOf({ assistants }: DecidedItems, { renamedId }: Renaming): Set<string> {
  const added = assistants.filter(({ key, item }) => key === 'AssistantCustom' && item.choice !== 'skip')
  return new Set(added.map(({ id }) => renamedId(id)))
}

/** The flow of a custom assistant of Flowise gets the assistant's id. */
function joinedIds({ assistants }: DecidedItems): [string, string][] {
  return assistants.flatMap(({ key, id, row, item }): [string, string][] => {
    const flowId = key === 'AssistantCustom' && item.choice !== 'skip' ? parseFlowId(row.details) : undefined
    return flowId && id !== '' && flowId !== id ? [[flowId, id]] : []
  })
}

function itemIdsToRename(items: DecidedItems, taken: ReadonlySet<string>) {
  const { flows, assistants, templates, tools, variables, stores } = items
  const all = [...flows, ...assistants, ...templates, ...tools, ...variables, ...stores]
  return all.flatMap(({ id, item }) =>
    item.choice === 'new' && id !== '' && (taken.has(id) || !isUuid(id)) ? [id] : [],
  )
}

type Assets = Pick<ImportPlan, 'assistants' | 'templates' | 'tools' | 'variables'>

function planAssets(items: DecidedItems, { take, runContext }: { take: Taking; runContext: ImportContext }): Assets {
  const planned = <Row extends { id?: string | undefined }>(decided: Decided<Row>[]): Planned<Row>[] => {
    const ids = ownIds(take)
    return decided.flatMap(({ row, item, existing }) => {
      if (item.choice === 'skip') return []
      const id = item.choice === 'replace' ? (existing?.id as string) : ids(row.id)
      return [{ ...take.renaming.renameInRow(row), id, isReplacing: item.choice === 'replace' }]
    })
  }
  const known = (credential: string | null) =>
    credential && runContext.credentialIds.has(credential) ? credential : null
  const assistants = ASSISTANT_KEY_NAMES.flatMap((key) =>
    planned(items.assistants.filter((decided) => decided.key === key)).map((row) => ({
      ...row,
      type: ASSISTANT_KEYS[key],
      credential: known(row.credential),
    })),
  )
  return {
    assistants,
    templates: planned(items.templates),
    tools: planned(items.tools),
    variables: planned(items.variables),
  }
}

interface PlannedParts {
  flows: OpenedFlow[]
  assets: Assets
  bulk: BulkCounts
  stores: PlannedStore[]
}

function counts({ flows, assets, bulk, stores }: PlannedParts) {
  const flowCounts = FLOW_KEYS.map((key) => [key, flows.filter((flow) => flow.key === key).length])
  const assistantCounts = ASSISTANT_KEY_NAMES.map((key) => [
    key,
    assets.assistants.filter(({ type }) => type === ASSISTANT_KEYS[key]).length,
  ])
  return {
    ...Object.fromEntries([...flowCounts, ...assistantCounts]),
    CustomTemplate: assets.templates.length,
    DocumentStore: stores.length,
    DocumentStoreFileChunk: stores.reduce((sum, { store }) => sum + store.totalChunks, 0),
    Tool: assets.tools.length,
    Variable: assets.variables.length,
    ...bulk,
  }
}

/** Returns why a flow cannot run. That of an assistant runs only where its assistant is. */
function whyNot(
  { key, type, newId }: Pick<OpenedFlow, 'key' | 'type' | 'newId'>,
  drawnIds: ReadonlySet<string>,
): string | undefined {
  if (key === 'AssistantFlow') return drawnIds.has(newId) ? undefined : WITHOUT_ITS_ASSISTANT
  return whyNotRun(type)
}

const NAME_CLASH = 'A flow with this name already exists. Rename one of them.'

interface OpenedFlow extends Omit<ImportedFlow, 'nodes' | 'edges'> {
  flow: FlowDocument
  /** What parsing left out, by node id. */
  dropped: ReadonlyMap<string, string>
  sources: readonly SourceFile[]
  access: FlowAccess
  /** Who may call it, for the report. */
  said: readonly string[]
  choice: Choice
}

interface Reporting {
  runContext: ImportContext
  components: readonly ComponentDefinition[]
  knownIds: ReadonlySet<string>
  /** Ids of assistants, whose flows are drawn anew. */
  drawnIds: ReadonlySet<string>
}

function reportOf(
  { flow, dropped, sources: _, access: __, said, notes, choice, ...opened }: OpenedFlow,
  { runContext, components, knownIds, drawnIds }: Reporting,
): ImportedFlow {
  if (opened.key === 'AssistantFlow' && drawnIds.has(opened.newId))
    return { ...opened, nodes: [], edges: [], notes: [] }
  const kind = opened.key === 'AssistantFlow' ? kindOfDocument(flow) : kindOf(opened.type)
  const { notes: changes, ...report } = importReport(flow, components, { kind, knownIds, dropped })
  const why = whyNot(opened, drawnIds)
  const kept = why ? [`${why} It is stored unchanged.`] : []
  const clash = choice === 'new' && runContext.flowNames.has(opened.name) ? [NAME_CLASH] : []
  const callers = choice === 'new' && !why ? said : []
  return { ...opened, ...report, notes: [...kept, ...notes, ...clash, ...callers, ...changes] }
}

function openItem(
  { key, row, item }: Decided<FlowItem>,
  { bundle, renaming }: { bundle: Bundle; renaming: Renaming },
): OpenedFlow {
  const { id, name, flowData } = row
  const flowKey = key as FlowKey
  const type = typeOfItem(flowKey, row)
  const opened = parseFlow(renaming.renameInText(flowData))
  if (!opened.ok) {
    const place = `${key}.${bundle[flowKey].indexOf(row)}.flowData`
    throw wrong(place, `“${name}” is not a valid flow: ${opened.message}`)
  }
  const newId = renaming.renamedId(id)
  const notes = notesOn(row)
  const { notes: said, ...access } = importedAccess(row, newId === id)
  return {
    ...{ key: flowKey, type, id, newId, name, notes },
    ...{ access, said },
    ...{ flow: opened.flow, dropped: opened.dropped },
    sources: row.sources,
    choice: item.choice,
  }
}

/** Notes what the export left out of this file. */
const missingNotes = ({ notExported }: Bundle): string[] => notExported.map(({ note }) => `Not in this file: ${note}`)

/** Notes the number of flows for the list of unsupported flows. */
function keptNotes(added: OpenedFlow[], drawnIds: ReadonlySet<string>): string[] {
  const kept = added.filter((flow) => whyNot(flow, drawnIds))
  if (kept.length === 0) return []
  const flows = kept.length === 1 ? '1 imported flow' : `${kept.length} imported flows`
  return [`${flows} can’t run. Find them under Unsupported flows on the Agentflows page.`]
}

const KEPT_OF_FLOWS = ['id', 'name', 'flowData', 'sources', 'type', 'callers', 'apikeyid']
const CONFIGS = ['chatbotConfig', 'apiConfig']

function notesOn(item: FlowItem): string[] {
  const isLost = (name: string) => !CONFIGS.includes(name) || isMoreThanRestrictions(name, item[name])
  const lost = unknownKeys(item, KEPT_OF_FLOWS).filter(isLost)
  return lost.length > 0 ? [`Settings not imported: ${lost.join(', ')}`] : []
}
