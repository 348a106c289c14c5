/** Draws flows from a few words about each node: the first nodes of a new flow, examples, and the flows of tests. */
import type { FlowKind, Link, Part } from '../kinds/types.ts'
import type { ComponentDefinition } from '../params/definition.ts'
import { defaultPolicy, ERROR_OUTPUT, errorHandleId } from '../params/run-policy.ts'
import { checkConnection, connectNodes } from './connect.ts'
import { createNode } from './create.ts'
import type { FlowDocument, FlowNode } from './document.ts'

export type { Link }

export interface Drawing {
  parts: readonly Part[]
  /** Defaults to a chain of all parts. */
  links?: readonly Link[]
}

const FIRST = { x: 100, y: 200 }
const STEP = 300

/** Places the parts in a row unless they say where. Throws when a component is unknown. */
export function drawFlow(
  { parts, links = inARow(parts) }: Drawing,
  definitions: readonly ComponentDefinition[],
  kind: FlowKind,
): FlowDocument {
  let flow: FlowDocument = { nodes: [], edges: [] }
  for (const [index, part] of parts.entries()) {
    const definition = definitions.find((each) => each.name === part.name)
    if (!definition) throw new Error(`There is no component ${part.name}`)
    const [x, y] = part.at ?? [FIRST.x + index * STEP, FIRST.y]
    const parentNode = part.inside === undefined ? undefined : flow.nodes[part.inside]?.id
    const node = createNode(definition, { nodes: flow.nodes, position: { x, y }, parentNode }, kind)
    flow = { ...flow, nodes: [...flow.nodes, withPart(node, part, kind)] }
  }
  return links.reduce((drawn, link) => withLink(drawn, link, kind), flow)
}

/** Returns a new flow with the first nodes of its kind, without those that have no definition. */
export function newDocument(kind: FlowKind, definitions: Iterable<ComponentDefinition>): FlowDocument {
  const all = [...definitions]
  const parts = kind.firstNodes.filter(({ name }) => all.some((definition) => definition.name === name))
  const { firstLinks } = kind
  if (firstLinks && parts.length < kind.firstNodes.length) return { nodes: [], edges: [] }
  return drawFlow({ parts, ...(firstLinks && { links: firstLinks }) }, all, kind)
}

const inARow = (parts: readonly Part[]): Link[] => parts.slice(1).map((_, index) => [index, index + 1])

function withPart(node: FlowNode, { label, inputs, output, runPolicy }: Part, kind: FlowKind): FlowNode {
  const data = {
    ...node.data,
    label: label ?? node.data.label,
    inputs: { ...node.data.inputs, ...inputs },
    ...(output && { outputs: { ...node.data.outputs, output } }),
    ...(runPolicy && { runPolicy: { ...defaultPolicy, ...runPolicy } }),
  }
  const outputAnchors = kind.anchorsFromInputs({ ...node, data })
  return { ...node, data: { ...data, ...(outputAnchors && { outputAnchors }) } }
}

function withLink(flow: FlowDocument, [from, to, output = 0]: Link, kind: FlowKind): FlowDocument {
  const source = flow.nodes[from]
  const target = flow.nodes[to]
  if (!source || !target) throw new Error(`There is no part ${from} or ${to}`)
  const sourceHandle = output === ERROR_OUTPUT ? errorHandleId(source.id) : kind.ports(source).outputs[output]?.id
  const connection = { source: source.id, target: target.id, ...(sourceHandle && { sourceHandle }) }
  const toInputs = kind.ports(target).inputs.map(({ id }) => ({ ...connection, targetHandle: id }))
  return connectNodes(flow, toInputs.find((each) => checkConnection(flow, each, kind).ok) ?? connection, kind)
}
