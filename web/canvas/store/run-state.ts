/** The last run as the canvas shows it, from live events or from the stored execution. */

import { ref } from 'valtio'
import type { HumanInputAction, RunEvent, RunState, StepStatus, TraceItem } from '#contract/runs/events.ts'
import { parseStepPath } from '#contract/runs/step-paths.ts'
import { waitingSteps } from '../../chat/trace/tree.ts'

type Ref<T extends object> = ReturnType<typeof ref<T>>

export interface NodeRun {
  status: StepStatus
  error?: string
  /** Milliseconds. */
  time?: number
  tokens?: number
  /** US dollars; absent when the price is not known. */
  cost?: number
  /** Loop passes; absent for the first. */
  rounds?: number
  /** Items of a container: finished so far, and all once known. */
  items?: { done: number; all?: number }
}

export interface RunView {
  state: RunState | null
  nodes: Record<string, NodeRun>
  /** The trace, oldest first; a node inside a loop has several items. */
  trace: readonly TraceItem[]
  /** Null until the run is stored. */
  executionId: string | null
  /** Open questions to a person. */
  questions: readonly HumanInputAction[]
  /** Running and waiting occurrences by node and path; a node inside an iteration has several. */
  open: Ref<Map<string, Map<string, OpenStatus>>>
  /** True until the next step shows whether the waiting run continues or a new one starts. */
  undecided: boolean
  /** True while `executionId` belongs to a run that has not started. */
  isAnnounced: boolean
  /** True when live events feed the view. */
  isLive: boolean
}

type OpenStatus = 'INPROGRESS' | 'STOPPED'

export const noRun = (): RunView => ({
  state: null,
  nodes: {},
  trace: ref([]),
  executionId: null,
  questions: ref([]),
  open: ref(new Map()),
  undecided: false,
  isAnnounced: false,
  isLive: false,
})

/** Applies one run event to the view. */
export function applyRunEvent(view: RunView, event: RunEvent): void {
  if (event.event === 'agentFlowEvent') applyState(view, event.data)
  if (event.event === 'nextAgentFlow') applyStep(view, event.data)
  if (event.event === 'agentFlowExecutedData') applyTrace(view, event.data)
  if (event.event === 'action') view.questions = ref([...view.questions, event.data])
  if (event.event === 'metadata' && typeof event.data.executionId === 'string') {
    view.executionId = event.data.executionId
    view.isAnnounced = view.state !== 'INPROGRESS'
  }
  if (event.event === 'end') view.isAnnounced = false
}

/** Shows a stored run. */
export function showRun(view: RunView, run: { id: string; state: RunState; trace: readonly TraceItem[] }): void {
  Object.assign(view, noRun(), { executionId: run.id })
  applyTrace(view, run.trace)
  view.state = run.state
  if (run.state !== 'INPROGRESS' && run.state !== 'STOPPED') stopUnfinished(view)
  view.questions = ref(waitingSteps(run.trace).flatMap((item) => item.data.output?.humanInputAction ?? []))
}

/** A running run cannot be cleared: its next event would show it again. */
export const canClear = ({ state }: Pick<RunView, 'state'>): boolean => state !== null && state !== 'INPROGRESS'

/** Clears status and errors of all nodes until the next live run. */
export function clearRun(view: RunView): void {
  if (canClear(view)) Object.assign(view, noRun(), { isLive: true })
}

function applyState(view: RunView, state: RunState): void {
  if (state === 'INPROGRESS' && view.state === 'STOPPED') view.undecided = true
  else if (state === 'INPROGRESS')
    Object.assign(view, noRun(), view.isAnnounced ? { executionId: view.executionId } : {})
  else if (state !== 'STOPPED') stopUnfinished(view)
  view.state = state
  view.isLive = true
}

function applyStep(view: RunView, { nodeId, status, error, path = nodeId }: StepEvent): void {
  if (view.undecided) decide(view, nodeId, path)
  setOpen(view, nodeId, { path, status })
  const { error: _before, ...before } = view.nodes[nodeId] ?? {}
  view.nodes[nodeId] = {
    ...before,
    status: statusOf(view, nodeId, status),
    ...(error === undefined ? {} : { error }),
    ...roundsOf(path),
  }
  countItems(view, path)
}

/** A waiting run continues with the step that waited; any other step starts a new run. */
function decide(view: RunView, nodeId: string, path: string): void {
  if (view.open.get(nodeId)?.get(path) !== 'STOPPED') {
    const { state, executionId, isAnnounced } = view
    Object.assign(view, noRun(), { state, isLive: true }, isAnnounced ? { executionId } : {})
  }
  view.questions = ref([])
  view.undecided = false
}

type StepEvent = Extract<RunEvent, { event: 'nextAgentFlow' }>['data']

function setOpen({ open }: RunView, nodeId: string, { path, status }: { path: string; status: StepStatus }): void {
  const mine = open.get(nodeId) ?? new Map<string, OpenStatus>()
  if (status === 'INPROGRESS' || status === 'STOPPED') open.set(nodeId, mine.set(path, status))
  else mine.delete(path)
}

/** A node runs or waits while one of its occurrences does. */
function statusOf({ open }: RunView, nodeId: string, latest: StepStatus): StepStatus {
  const all = [...(open.get(nodeId)?.values() ?? [])]
  return (['INPROGRESS', 'STOPPED'] as const).find((status) => all.includes(status)) ?? latest
}

function roundsOf(path: string): { rounds?: number } {
  const { round } = parseStepPath(path)
  return round > 0 ? { rounds: round + 1 } : {}
}

/** Updates the progress of the container around a step. */
function countItems(view: RunView, path: string): void {
  const { within } = parseStepPath(path)
  const container = within && parseStepPath(within.path).nodeId
  if (!within || container === undefined) return
  const run = view.nodes[container]
  const done = Math.max(run?.items?.done ?? 0, within.index + 1)
  view.nodes[container] = { status: 'INPROGRESS', ...run, items: { ...run?.items, done } }
}

function applyTrace(view: RunView, trace: readonly TraceItem[]): void {
  view.trace = ref(trace)
  for (const item of trace) {
    const { nodeId, status, path = nodeId } = item
    setOpen(view, nodeId, { path, status })
    const items = itemsOf(item) ?? view.nodes[nodeId]?.items
    view.nodes[nodeId] = { ...nodeRun(item, path), status: statusOf(view, nodeId, status), ...(items ? { items } : {}) }
    countItems(view, path)
  }
}

function itemsOf({ data }: TraceItem): NodeRun['items'] {
  const results = data.output?.iterationResults
  return Array.isArray(results) ? { done: results.length, all: results.length } : undefined
}

/** Shows unfinished steps of an ended run as stopped. */
function stopUnfinished(view: RunView): void {
  for (const run of Object.values(view.nodes)) if (run.status === 'INPROGRESS') run.status = 'TERMINATED'
}

function nodeRun({ status, data }: TraceItem, path: string): NodeRun {
  const { timeMetadata, usageMetadata } = data.output ?? {}
  return {
    status,
    ...(data.error === undefined ? {} : { error: data.error }),
    ...(timeMetadata === undefined ? {} : { time: timeMetadata.delta }),
    ...(usageMetadata === undefined ? {} : { tokens: usageMetadata.total_tokens }),
    ...(usageMetadata?.total_cost === undefined ? {} : { cost: usageMetadata.total_cost }),
    ...roundsOf(path),
  }
}
