/** Plans the rows and the report of an import before anything is written. Pure. */

import type * as z from 'zod'
import type { Callers } from '#contract/access/callers.ts'
import { HeddleError } from '#contract/errors.ts'
import {
  type Bundle,
  type BundleKey,
  type BundleRow,
  FLOW_KEYS,
  type FlowItem,
  type FlowKey,
  type ImportedFlow,
  type ImportReport,
} from '#contract/export-import.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { parseFlow } from '#contract/flow/document/parse.ts'
import { kindOf } from '#contract/flow/kinds/index.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { importReport } from '#contract/flow/transfer/report.ts'
import { type Renaming, renameIds } from './ids.ts'
import { addUnavailable, type LeftOutList, leftOutList } from './left-out.ts'
import { type NoteList, noteList, unknownKeys, unknownLists } from './notes.ts'
import {
  type ExecutionRow,
  executionRow,
  type FeedbackRow,
  feedbackRow,
  isUnended,
  type MessageRow,
  messageRow,
  type VariableRow,
  variableRow,
} from './rows.ts'
import { type ImportedStep, stepsOf } from './steps.ts'

/** The ids and names that already exist in the workspace or anywhere in the database. */
export interface ImportContext {
  /** The ids of the file that rows of any workspace already have. */
  taken: ReadonlySet<string>
  flowIds: ReadonlySet<string>
  flowNames: ReadonlySet<string>
  credentialIds: ReadonlySet<string>
  variableNames: ReadonlySet<string>
}

type WithId<Row> = Omit<Row, 'id'> & { id: string }

export interface PlannedFlow {
  id: string
  name: string
  type: (typeof FLOW_KEYS)[FlowKey]
  flowData: string
  callers: Callers
}

export interface ImportPlan {
  flows: PlannedFlow[]
  variables: WithId<VariableRow>[]
  messages: WithId<MessageRow>[]
  feedback: WithId<FeedbackRow>[]
  executions: (WithId<ExecutionRow> & { steps: ImportedStep[] })[]
  report: ImportReport
}

export interface Planning {
  runContext: ImportContext
  components: readonly ComponentDefinition[]
  newId(): string
}

const FLOW_KEY_NAMES = Object.keys(FLOW_KEYS) as FlowKey[]

/** Returns the ids that rows of the file keep if they are free. */
export function idsOf(bundle: Bundle): string[] {
  const own = [bundle.Variable, bundle.ChatMessage, bundle.ChatMessageFeedback, bundle.Execution]
  const rows = [...own, ...FLOW_KEY_NAMES.map((key) => bundle[key])]
  return rows.flat().flatMap(({ id }) => (typeof id === 'string' ? id : []))
}

/** @throws HeddleError `bad_request` that names the invalid flow. Nothing of such a file is imported. */
export function planImport(bundle: Bundle, { runContext, components, newId }: Planning): ImportPlan {
  const renaming = renameIds(idsOf(bundle), runContext.taken, newId)
  const list = leftOutList()
  addUnavailable(bundle, list)
  const flows = openSubflows(bundle, renaming)
  const flowIds = new Set([...runContext.flowIds, ...flows.map(({ newId: id }) => id)])
  const notes = noteList()
  for (const note of [...keptNotes(bundle), ...unknownLists(bundle)]) notes.add(note)
  const take: Taking = { renaming, list, flowIds, newId, notes }
  const executions = takeExecutions(bundle.Execution, take)
  const messages = takeMessages(bundle.ChatMessage, executions, take)
  const feedback = takeFeedback(bundle.ChatMessageFeedback, messages, take)
  const variables = takeVariables(bundle.Variable, runContext.variableNames, take)
  const knownIds = new Set([...flowIds, ...runContext.credentialIds])
  return {
    flows: flows.map(({ key, newId: id, name, callers, flow }) => ({
      id,
      name,
      callers,
      type: FLOW_KEYS[key],
      flowData: JSON.stringify(flow),
    })),
    variables,
    messages,
    feedback,
    executions,
    report: {
      imported: {
        ...Object.fromEntries(FLOW_KEY_NAMES.map((key) => [key, bundle[key].length])),
        Variable: variables.length,
        ChatMessage: messages.length,
        ChatMessageFeedback: feedback.length,
        Execution: executions.length,
      },
      flows: flows.map(({ flow, callers, notes: own, ...opened }) => {
        const { notes: said, ...report } = importReport(flow, components, {
          kind: kindOf(FLOW_KEYS[opened.key]),
          knownIds,
        })
        const clash = runContext.flowNames.has(opened.name) ? [NAME_CLASH] : []
        const isOpen = callers === 'everyone' && kindOf(FLOW_KEYS[opened.key]).isRunnable
        const open = isOpen ? [OPEN_TO_EVERYONE] : []
        return { ...opened, ...report, notes: [...own, ...clash, ...open, ...said] }
      }),
      leftOut: list.entries(),
      notes: notes.entries(),
    },
  }
}

const NAME_CLASH = 'A flow with this name already exists. Rename one of them.'

const OPEN_TO_EVERYONE = 'Everyone with its address can call this flow, as before. Change this under Share.'

type OpenedFlow = Omit<ImportedFlow, 'nodes' | 'edges'> & { flow: FlowDocument; callers: Callers }

function openSubflows(bundle: Bundle, renaming: Renaming): OpenedFlow[] {
  const seen = new Set<string>()
  return FLOW_KEY_NAMES.flatMap((key) =>
    bundle[key].map((item, index) => {
      const place = `${key}.${index}`
      if (seen.has(item.id)) throw wrong(`${place}.id`, `The id ${item.id} is used twice`)
      seen.add(item.id)
      return openItem(item, { key, place, renaming })
    }),
  )
}

function openItem(
  item: FlowItem,
  { key, place, renaming }: { key: FlowKey; place: string; renaming: Renaming },
): OpenedFlow {
  const { id, name, flowData } = item
  const opened = parseFlow(renaming.renameInText(flowData))
  if (!opened.ok) throw wrong(`${place}.flowData`, `“${name}” is not a valid flow: ${opened.message}`)
  const newId = renaming.renamedId(id)
  return { key, id, newId, name, callers: callersOf(item, newId), notes: notesOn(item, key), flow: opened.flow }
}

/** Clients of a flow from Flowise keep calling it by its id, without a key. Nobody knows a new id yet. */
function callersOf({ id, callers }: FlowItem, newId: string): Callers {
  return callers ?? (newId === id ? 'everyone' : 'keys')
}

/** Notes the number of flows for the list of unsupported flows. */
function keptNotes(bundle: Bundle): string[] {
  const kept = FLOW_KEY_NAMES.filter((key) => !kindOf(FLOW_KEYS[key]).isRunnable).flatMap((key) => bundle[key])
  if (kept.length === 0) return []
  const flows = kept.length === 1 ? '1 imported flow' : `${kept.length} imported flows`
  return [`${flows} can’t run yet. Find them under Unsupported flows on the Agentflows page.`]
}

const KEPT_OF_FLOWS = ['id', 'name', 'flowData', 'type', 'callers']

function notesOn(item: FlowItem, key: FlowKey): string[] {
  const lost = unknownKeys(item, KEPT_OF_FLOWS)
  return [
    ...(kindOf(FLOW_KEYS[key]).isRunnable ? [] : ['Only agent flows can run. This flow is stored unchanged.']),
    ...(lost.length > 0 ? [`Settings not imported: ${lost.join(', ')}`] : []),
  ]
}

type RowSchema = z.ZodObject<{ id: z.ZodOptional<z.ZodString> }>

interface Taking {
  renaming: Renaming
  list: LeftOutList
  /** Flows of the workspace after the import. */
  flowIds: ReadonlySet<string>
  newId(): string
  notes: NoteList
}

/** Returns the valid rows, each with its own id; lists the others. */
function takeRows<Schema extends RowSchema>(
  rows: BundleRow[],
  { key, schema, why }: { key: BundleKey; schema: Schema; why?(row: z.infer<Schema>): string | undefined },
  { renaming, list, newId, notes }: Taking,
): WithId<z.infer<Schema>>[] {
  const seen = new Set<string>()
  const kept = Object.keys(schema.shape)
  return rows.flatMap((row) => {
    const read = schema.safeParse(renaming.renameInRow(row))
    const issue = read.error?.issues[0]
    const reason = issue ? `${issue.path.join('.')}: ${issue.message}` : why?.(read.data as z.infer<Schema>)
    if (reason) {
      list.add(key, row, reason)
      return []
    }
    for (const name of unknownKeys(row, kept)) notes.count(`Not imported from ${key}: ${name}`)
    const { id } = read.data as { id?: string }
    const isOwn = id !== undefined && !seen.has(id)
    if (isOwn) seen.add(id)
    return [{ ...(read.data as z.infer<Schema>), id: isOwn ? renaming.renamedId(id) : newId() }]
  })
}

function takeVariables(rows: BundleRow[], taken: ReadonlySet<string>, take: Taking): WithId<VariableRow>[] {
  const names = new Set(taken)
  const why = ({ name }: VariableRow) => {
    if (names.has(name)) return 'A variable with this name already exists. It was not changed.'
    names.add(name)
  }
  return takeRows(rows, { key: 'Variable', schema: variableRow, why }, take)
}

function takeExecutions(rows: BundleRow[], take: Taking): ImportPlan['executions'] {
  const why = ({ agentflowId }: ExecutionRow) => missingFlow(agentflowId, take)
  const taken = takeRows(rows, { key: 'Execution', schema: executionRow, why }, take)
  const known = new Set(taken.map(({ id }) => id))
  const linkTo = (id: string | null) =>
    id !== null && known.has(take.renaming.renamedId(id)) ? take.renaming.renamedId(id) : null
  return taken.map((row) => {
    if (isUnended(row)) take.notes.count('Unfinished runs were imported as stopped and cannot continue')
    return {
      ...row,
      agentflowId: take.renaming.renamedId(row.agentflowId),
      replayOf: linkTo(row.replayOf),
      parentExecutionId: linkTo(row.parentExecutionId),
      steps: stepsOf(row),
    }
  })
}

function takeMessages(rows: BundleRow[], executions: { id: string }[], take: Taking): WithId<MessageRow>[] {
  const why = ({ chatflowid }: MessageRow) => missingFlow(chatflowid, take)
  const known = new Set(executions.map(({ id }) => id))
  return takeRows(rows, { key: 'ChatMessage', schema: messageRow, why }, take).map((row) => {
    const executionId = row.executionId && take.renaming.renamedId(row.executionId)
    const isLinked = executionId !== null && known.has(executionId)
    if (executionId && !isLinked)
      take.notes.count('Chat messages were imported without their runs, which are not in the file')
    if (row.action) take.notes.count('Chat messages that wait for a decision can no longer be answered')
    const chatflowid = take.renaming.renamedId(row.chatflowid)
    return { ...row, chatflowid, executionId: isLinked ? executionId : null, action: null }
  })
}

/** Imports at most one rating per answer. */
function takeFeedback(rows: BundleRow[], messages: { id: string }[], take: Taking): WithId<FeedbackRow>[] {
  const { renamedId } = take.renaming
  const free = new Set(messages.map(({ id }) => id))
  const why = ({ chatflowid, messageId }: FeedbackRow) =>
    missingFlow(chatflowid, take) ??
    (free.delete(renamedId(messageId)) ? undefined : 'Its message was not imported, or already has a rating')
  return takeRows(rows, { key: 'ChatMessageFeedback', schema: feedbackRow, why }, take).map((row) => ({
    ...row,
    chatflowid: renamedId(row.chatflowid),
    messageId: renamedId(row.messageId),
  }))
}

function missingFlow(id: string, { renaming, flowIds }: Taking): string | undefined {
  return flowIds.has(renaming.renamedId(id)) ? undefined : 'Its flow is not in the file or in this workspace'
}

const wrong = (field: string, message: string) => new HeddleError('bad_request', `${field}: ${message}`, { field })
