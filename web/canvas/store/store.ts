/**
 * One open canvas: flow document, selection, history and last run. Documents are immutable and share their nodes, so
 * undo swaps a pointer and a drag touches one node. Every change of the flow goes through `perform`.
 */

import { proxy, ref } from 'valtio'
import type { Mark } from '#contract/flow/diff/diff.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { KnownCredential } from '#contract/flow/document/first-choices.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { Verdict } from '#contract/flow/rules/verdict.ts'
import type { Point } from '../geometry/boxes.ts'
import type { HandleRef } from '../geometry/handles.ts'
import type { CanvasKind } from '../kinds/types.ts'
import { type Change, emptyHistory, type History, record, seal, stepBack, stepForward } from './history.ts'
import { noProblems, type Problems } from './problems.ts'
import { noRun, type RunView } from './run-state.ts'

type Ref<T extends object> = ReturnType<typeof ref<T>>

export interface Selection {
  nodes: readonly string[]
  edges: readonly string[]
}

/** The place of a new node, in flow coordinates. */
export type Spot =
  /** The middle of the node. */
  | { at: Point }
  /** Connected to a handle; without `at`, beside its node. */
  | { from: HandleRef; at: Point | null }
  /** Into a connection. */
  | { edge: string }

/** The node search, or the menu of the selection, that is open over the canvas. */
export type Menu = ({ what: 'search'; spot: Spot } | { what: 'selection' }) & {
  /** In pixels of the window. */
  place: Point
  /** Gets the focus back. */
  opener: Element | null
}

/** A line that dragged nodes are drawn to, in flow coordinates. */
export interface Guide {
  axis: 'x' | 'y'
  at: number
  from: number
  to: number
}

/** Draws dragged nodes to the lines of the others, and finds the connection under the pointer. */
export interface Snapping {
  /** Without `guides`, nodes move freely. */
  begin(canvas: Canvas, options: { guides: boolean }): void
  move(canvas: Canvas, places: ReadonlyMap<string, Point>): ReadonlyMap<string, Point>
  edgeAt(canvas: Canvas, at: Point): string | undefined
}

/** The container under the pointer, and whether it accepts the dragged nodes. */
interface Drop {
  containerId: string
  verdict: Verdict
}

/** The connection into which the dragged node would go. */
interface Over {
  edge: string
  verdict: Verdict
}

export const EMPTY_SELECTION: Selection = { nodes: [], edges: [] }

export interface CanvasState {
  flow: Ref<FlowDocument>
  /** The document as last saved; the canvas is dirty while it differs. */
  saved: Ref<FlowDocument>
  selection: Ref<Selection>
  history: Ref<History>
  run: RunView
  /** The end at which a connection is being drawn; null while none is. */
  connecting: Ref<HandleRef> | null
  /** The container under the dragged nodes; null for none. */
  drop: Ref<Drop> | null
  /** The connection under the dragged node; null for none. */
  over: Ref<Over> | null
  /** The lines that the dragged nodes are drawn to. */
  guides: Ref<readonly Guide[]>
  menu: Ref<Menu> | null
  /** The checklist, updated shortly after each change. */
  problems: Ref<Problems>
  /** False while `definitions` holds only what the flow uses. */
  hasCatalogue: boolean
  /** Read by the live region. The counter repeats a text that did not change. */
  announcement: { text: string; count: number }
}

export interface Canvas {
  state: CanvasState
  kind: CanvasKind
  /** Every known component (nodes, models, tools) by name; until `hasCatalogue`, those that the flow uses. */
  definitions: ReadonlyMap<string, ComponentDefinition>
  /** The current viewport, which renders nothing. Null until the flow is shown. */
  view: Viewport | null
  /** Differences by node or edge id; null unless two documents are compared. */
  marks: Marks | null
  /** The ids of the dragged nodes; null while nothing is dragged. */
  dragged: readonly string[] | null
  /** The node type dragged from the palette. */
  carried: ComponentDefinition | null
  /** Null until it is loaded. */
  snapping: Snapping | null
  /** Those that the person may use, for the choices of new nodes. Empty until they are loaded. */
  credentials: readonly KnownCredential[]
}

export type Marks = ReadonlyMap<string, Mark>

interface Viewport {
  x: number
  y: number
  zoom: number
}

type FlowChange = (flow: FlowDocument) => FlowDocument

/** Opens a document. `definitions` come from `GET /nodes`. */
export function createCanvas(
  flow: FlowDocument,
  definitions: readonly ComponentDefinition[],
  kind: CanvasKind,
): Canvas {
  const state = proxy<CanvasState>({
    flow: ref(flow),
    saved: ref(flow),
    selection: ref(EMPTY_SELECTION),
    history: ref(emptyHistory),
    run: noRun(),
    connecting: null,
    drop: null,
    over: null,
    guides: ref([]),
    menu: null,
    problems: ref(noProblems),
    hasCatalogue: true,
    announcement: { text: '', count: 0 },
  })
  const view = flow.viewport ?? null
  return {
    state,
    kind,
    definitions: byName(definitions),
    view,
    marks: null,
    dragged: null,
    carried: null,
    snapping: null,
    credentials: [],
  }
}

const byName = (definitions: readonly ComponentDefinition[]) =>
  new Map(definitions.map((definition) => [definition.name, definition]))

/** Gives a canvas that was drawn with the components of its flow all of them. */
export function completeCatalogue(canvas: Canvas, definitions: readonly ComponentDefinition[]): void {
  canvas.definitions = byName(definitions)
  canvas.state.hasCatalogue = true
}

export const isDirty = (state: Pick<CanvasState, 'flow' | 'saved'>): boolean => state.flow !== state.saved

/**
 * Changes the flow and records the change as `name` ("connect LLM to Reply"). Consecutive changes with the same
 * `merge` key undo as one. A change that returns the same document is ignored.
 */
export function perform(canvas: Canvas, name: string, change: FlowChange, merge?: string): void {
  const { state } = canvas
  const before = state.flow
  const after = change(before)
  if (after === before) return
  const entry: Change = merge === undefined ? { name, before, after } : { name, before, after, merge }
  const joined = merge !== undefined && state.history.past.at(-1)?.merge === merge
  state.history = ref(record(state.history, entry))
  show(canvas, after)
  if (!joined) announce(canvas, sentence(name))
}

/** Undoes the gesture with this merge key and forgets it. */
export function revert(canvas: Canvas, merge: string): void {
  const { history } = canvas.state
  const last = history.past.at(-1)
  if (last?.merge !== merge) return
  canvas.state.history = ref({ ...history, past: history.past.slice(0, -1) })
  show(canvas, last.before)
}

/** Ends a drag, or typing in a field: the next change undoes on its own. */
export function endGesture(canvas: Canvas): void {
  const sealed = seal(canvas.state.history)
  if (sealed !== canvas.state.history) canvas.state.history = ref(sealed)
}

export function undo(canvas: Canvas): void {
  const step = stepBack(canvas.state.history)
  if (!step) {
    announce(canvas, 'Nothing to undo')
    return
  }
  canvas.state.history = ref(step.history)
  show(canvas, step.change.before)
  announce(canvas, `Undid: ${step.change.name}`)
}

export function redo(canvas: Canvas): void {
  const step = stepForward(canvas.state.history)
  if (!step) {
    announce(canvas, 'Nothing to redo')
    return
  }
  canvas.state.history = ref(step.history)
  show(canvas, step.change.after)
  announce(canvas, `Redid: ${step.change.name}`)
}

/**
 * Marks this document as saved. Later changes stay dirty.
 * @param follow takes over what the server changed in it; leaves everything else as it is
 */
export function markSaved(canvas: Canvas, saved: FlowDocument, follow: FlowChange = (flow) => flow): void {
  const { state } = canvas
  const followed = follow(saved)
  show(canvas, state.flow === saved ? followed : follow(state.flow))
  state.saved = ref(followed)
}

/** Replaces the flow with a saved document and clears the history. */
export function replaceFlow(canvas: Canvas, flow: FlowDocument): void {
  canvas.state.history = ref(emptyHistory)
  canvas.state.saved = ref(flow)
  show(canvas, flow)
}

export function select(canvas: Canvas, selection: Partial<Selection>): void {
  canvas.state.selection = ref({ ...EMPTY_SELECTION, ...selection })
}

/** Returns the selected node's id when nothing else is selected. */
export function onlySelectedNode({ nodes, edges }: Selection): string | undefined {
  return nodes.length === 1 && edges.length === 0 ? nodes[0] : undefined
}

export function announce(canvas: Canvas, text: string): void {
  const { announcement } = canvas.state
  announcement.text = text
  announcement.count += 1
}

/** "connect LLM to Reply" → "Connect LLM to Reply". */
export const sentence = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Shows a document and drops removed nodes and edges from the selection. */
function show(canvas: Canvas, flow: FlowDocument): void {
  const { state } = canvas
  state.flow = ref(flow)
  const { nodes, edges } = state.selection
  if (nodes.length + edges.length === 0) return
  const kept = { nodes: idsIn(nodes, flow.nodes), edges: idsIn(edges, flow.edges) }
  if (kept.nodes.length + kept.edges.length < nodes.length + edges.length) state.selection = ref(kept)
}

/** Each step of a drag asks this: not once for each pair. */
function idsIn(ids: readonly string[], all: readonly { id: string }[]): readonly string[] {
  if (ids.length === 0) return ids
  const known = new Set(all.map(({ id }) => id))
  return ids.filter((id) => known.has(id))
}
