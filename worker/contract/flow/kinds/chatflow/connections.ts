/** Ports and edges of chat flows: inputs and outputs are typed, and a linked input names its source node. */
import type { FlowEdge, FlowNode } from '../../document/document.ts'
import type { InputParam } from '../../params/definition.ts'
import { paramsOf } from '../../params/params.ts'
import { reorderTools } from '../../params/tools.ts'
import { allowed, refused, type Verdict } from '../../rules/verdict.ts'
import type { Connection, Ends, Port, Ports } from '../types.ts'
import { handleTypes } from './handles.ts'

/** The text by which an input names its source node. */
export function inputReference(nodeId: string): string {
  return `{{${nodeId}.data.instance}}`
}

export function ports(node: Pick<FlowNode, 'id' | 'data'>): Ports {
  const anchors = (node.data.outputAnchors ?? []).flatMap((anchor) =>
    Array.isArray(anchor.options) ? (anchor.options as (Partial<InputParam> | null)[]) : [anchor],
  )
  return {
    inputs: linkableInputs(node).flatMap((input) => portOf(input, Boolean(input.list))),
    outputs: anchors.flatMap((anchor) => portOf(anchor, true)),
  }
}

function portOf(anchor: { id?: unknown; label?: unknown; name?: unknown } | null, many: boolean): Port[] {
  if (typeof anchor?.id !== 'string') return []
  return [{ id: anchor.id, label: String(anchor.label || anchor.name || ''), types: handleTypes(anchor.id), many }]
}

export function checkEnds(_: Ends, { sourceHandle, targetHandle }: Connection): Verdict {
  return sourceHandle && targetHandle ? allowed : refused('Connect an output to an input.')
}

/** Text that accepts variables is not changed: people place the reference themselves. */
export function linkInput(node: FlowNode, edge: FlowEdge): FlowNode {
  const input = inputAt(node, edge.targetHandle)
  if (!input || input.acceptVariable) return node
  const reference = inputReference(edge.source)
  const before = node.data.inputs?.[input.name]
  const links = input.list ? [...(Array.isArray(before) ? before : []), reference] : reference
  return withInput(
    node,
    input.name,
    input.name === 'tools' && Array.isArray(links) ? reorderTools(links, String) : links,
  )
}

export function unlinkInput(node: FlowNode, edge: FlowEdge): FlowNode {
  const input = inputAt(node, edge.targetHandle)
  if (!input) return node
  const before = node.data.inputs?.[input.name]
  const reference = inputReference(edge.source)
  if (Array.isArray(before)) {
    const links = before.filter((item) => item !== reference)
    return withInput(node, input.name, links)
  }
  return withInput(node, input.name, typeof before === 'string' ? before.split(reference).join('') : before)
}

/** Returns the anchor or parameter at which an edge ends. */
function inputAt(node: FlowNode, handleId: string | null | undefined): InputParam | undefined {
  return linkableInputs(node).find((input) => input.id === handleId)
}

/** Anchors, and the parameters whose text can hold a reference (compat 1.4). */
function linkableInputs(node: Pick<FlowNode, 'data'>): InputParam[] {
  return [
    ...((node.data.inputAnchors ?? []) as unknown as InputParam[]),
    ...paramsOf(node).filter(({ acceptVariable }) => acceptVariable),
  ]
}

function withInput(node: FlowNode, name: string, value: unknown): FlowNode {
  return { ...node, data: { ...node.data, inputs: { ...node.data.inputs, [name]: value } } }
}
