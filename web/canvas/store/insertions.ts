/** New nodes that come with their connections: after a handle, or into a connection. */
import { type Connection, checkConnection, connectNodes } from '#contract/flow/document/connect.ts'
import { createNode } from '#contract/flow/document/create.ts'
import type { FlowDocument, FlowEdge, FlowNode } from '#contract/flow/document/document.ts'
import { withFirstChoices } from '#contract/flow/document/first-choices.ts'
import { removeEdges } from '#contract/flow/document/remove.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { isErrorHandle } from '#contract/flow/params/run-policy.ts'
import { refused, type Verdict } from '#contract/flow/rules/verdict.ts'
import { byId, nodeBox, type Point } from '../geometry/boxes.ts'
import { containerAt, grown, heldInside, PADDING } from '../geometry/containers.ts'
import type { HandleRef, Scene } from '../geometry/handles.ts'
import { isNote, nodeSize } from '../geometry/node-size.ts'
import { containerOfNode, placeBeside, placeBetween } from '../geometry/placement.ts'
import { connectionTo, sceneOf } from './connecting.ts'
import { type Canvas, onlySelectedNode, perform, type Spot, select } from './store.ts'

interface Plan {
  ok: true
  flow: FlowDocument
  node: FlowNode
  /** For undo: `add LLM 0 after Start`. */
  name: string
}

type Outcome = Plan | Extract<Verdict, { ok: false }>

const labelIn = (flow: FlowDocument, id: string) => flow.nodes.find((node) => node.id === id)?.data.label || id

/** Adds a node at the spot with its connections, as one change, and selects it. */
export function addNodeAt(canvas: Canvas, definition: ComponentDefinition, spot: Spot): Verdict {
  const plan = planNode(canvas, definition, spot)
  if (!plan.ok) return plan
  perform(canvas, plan.name, () => plan.flow)
  select(canvas, { nodes: [plan.node.id] })
  return plan
}

/**
 * Returns the place of a node that was chosen without one: after the only selected node or else the last one, at the first
 * output that leads nowhere and accepts it. Where none does, in the middle of the view.
 */
export function spotWithoutPlace(canvas: Canvas, definition: ComponentDefinition, middle: Point): Spot {
  const { flow, selection } = canvas.state
  const chosen = flow.nodes.find(({ id }) => id === onlySelectedNode(selection))
  const last = flow.nodes.findLast((node) => !isNote(node))
  const spots = [chosen, last].flatMap((node) => (node ? freeOutputs(canvas, node) : []))
  return spots.find((spot) => planNode(canvas, definition, spot).ok) ?? { at: middle }
}

function freeOutputs({ state, kind }: Canvas, node: FlowNode): Spot[] {
  const { handleKey, ports } = kind.flow
  const leaving = state.flow.edges.filter(({ source }) => source === node.id)
  const taken = new Set(leaving.map(({ sourceHandle }) => handleKey(sourceHandle ?? '')))
  return ports(node)
    .outputs.filter(({ id }) => !isErrorHandle(id) && !taken.has(handleKey(id)))
    .map(({ id }) => ({ from: { nodeId: node.id, handleId: id, type: 'source' }, at: null }))
}

/** Returns the flow with a node added at the spot, or the reason why it cannot be added. */
export function planNode(canvas: Canvas, definition: ComponentDefinition, spot: Spot): Outcome {
  const { flow, kind } = sceneOf(canvas)
  const parent = containerFor(flow, spot)
  const placement = kind.checkPlacement(flow, definition, parent?.id)
  if (!placement.ok) return placement
  const made = createNode(
    definition,
    { nodes: flow.nodes, position: { x: 0, y: 0 }, ...(parent ? { parentNode: parent.id } : {}) },
    kind,
  )
  const chosen = withFirstChoices(made, { components: canvas.definitions, credentials: canvas.credentials })
  const node = 'from' in spot ? withFittingOutput(chosen, { flow, kind }, spot.from) : chosen
  return joined({ flow: { ...flow, nodes: [...flow.nodes, node] }, kind }, node, { spot, parent })
}

/** Chooses the output that the input takes from which the node is added. */
function withFittingOutput(node: FlowNode, { flow, kind }: Scene, from: HandleRef): FlowNode {
  const target = from.type === 'target' && flow.nodes.find(({ id }) => id === from.nodeId)
  const input = target && kind.ports(target).inputs.find(({ id }) => id === from.handleId)
  return input && kind.withOutputFor ? kind.withOutputFor(node, input) : node
}

/** Returns the flow with an unconnected node inserted into a connection, or the reason why it cannot be. */
export function planInsertion(canvas: Canvas, nodeId: string, edge: string): Outcome {
  const scene = sceneOf(canvas)
  const node = scene.flow.nodes.find(({ id }) => id === nodeId)
  if (!node) return refused('The node is no longer on the canvas.')
  return joined(scene, node, { spot: { edge }, parent: containerFor(scene.flow, { edge }) })
}

function containerFor(flow: FlowDocument, spot: Spot): FlowNode | undefined {
  if ('edge' in spot) return containerOfNode(flow, flow.edges.find(({ id }) => id === spot.edge)?.source ?? '')
  return spot.at ? containerAt(flow, spot.at) : containerOfNode(flow, 'from' in spot ? spot.from.nodeId : '')
}

/** `scene` has the node already. */
function joined(scene: Scene, node: FlowNode, { spot, parent }: { spot: Spot; parent: FlowNode | undefined }): Outcome {
  if ('edge' in spot) return insideEdge(scene, node, { edgeId: spot.edge, parent })
  const { label } = node.data
  if (!('from' in spot)) {
    const { width, height } = nodeSize(node)
    const corner = cornerOf(scene.flow, parent)
    const middle = { x: spot.at.x - corner.x - width / 2, y: spot.at.y - corner.y - height / 2 }
    const position = heldInside(scene.flow, node, { x: Math.round(middle.x), y: Math.round(middle.y) })
    return { ok: true, node, name: `add ${label}`, flow: withPosition(scene.flow, node, { position, parent }) }
  }
  const connection = connectionTo(scene, spot.from, { nodeId: node.id, handleId: null })
  const connected = withConnection(scene, connection)
  if (!connected.ok) return connected
  const place = placeBeside(scene, node, spot)
  const where = `${spot.from.type === 'source' ? 'after' : 'before'} ${labelIn(scene.flow, spot.from.nodeId)}`
  return {
    ok: true,
    node,
    name: `add ${label} ${where}`,
    flow: withPosition(connected.flow, node, { position: inside(scene.flow, place, parent), parent }),
  }
}

interface InsideEdge {
  edgeId: string
  parent: FlowNode | undefined
}

function insideEdge(scene: Scene, node: FlowNode, { edgeId, parent }: InsideEdge): Outcome {
  const { kind } = scene
  const edge = scene.flow.edges.find(({ id }) => id === edgeId)
  if (!edge) return refused('That connection is no longer on the canvas.')
  const cut = { kind, flow: removeEdges(scene.flow, [edgeId], kind) }
  const first = withConnection(cut, connectionTo(cut, startOf(edge), { nodeId: node.id, handleId: null }))
  if (!first.ok) return first
  const begun = { kind, flow: first.flow }
  const from: HandleRef = { nodeId: node.id, handleId: null, type: 'source' }
  const second = withConnection(
    begun,
    connectionTo(begun, from, { nodeId: edge.target, handleId: edge.targetHandle ?? null }),
  )
  if (!second.ok) return second
  const { flow, place } = placeBetween({ kind, flow: second.flow }, node, edge)
  const between = `${labelIn(flow, edge.source)} and ${labelIn(flow, edge.target)}`
  const position = inside(flow, place, parent)
  return {
    ok: true,
    node,
    name: `insert ${node.data.label} between ${between}`,
    flow: withPosition(flow, node, { position, parent }),
  }
}

const startOf = ({ source, sourceHandle }: FlowEdge): HandleRef => ({
  nodeId: source,
  handleId: sourceHandle ?? null,
  type: 'source',
})

function withConnection(
  { flow, kind }: Scene,
  connection: Connection,
): { ok: true; flow: FlowDocument } | Extract<Verdict, { ok: false }> {
  const verdict = checkConnection(flow, connection, kind)
  return verdict.ok ? { ok: true, flow: connectNodes(flow, connection, kind) } : verdict
}

const cornerOf = (flow: FlowDocument, parent: FlowNode | undefined): Point =>
  parent ? nodeBox(parent, byId(flow.nodes)) : { x: 0, y: 0 }

/** A place in flow coordinates as the container counts, right of and below its border. */
function inside(flow: FlowDocument, place: Point, parent: FlowNode | undefined): Point {
  if (!parent) return place
  const corner = cornerOf(flow, parent)
  return { x: Math.max(PADDING.left, place.x - corner.x), y: Math.max(PADDING.top, place.y - corner.y) }
}

/** The flow with the node in its place, and a container large enough for it. */
function withPosition(
  flow: FlowDocument,
  { id }: FlowNode,
  { position, parent }: { position: Point; parent: FlowNode | undefined },
): FlowDocument {
  const nodes = flow.nodes.map((node) => (node.id === id ? { ...node, position } : node))
  return parent ? grown({ ...flow, nodes }, parent.id) : { ...flow, nodes }
}
