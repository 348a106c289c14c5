/** Ports and edges of chat flows: inputs and outputs are typed, and a linked input names its source node. */
import { chosenOutput, linkableInputs, outputChoices, shownOutputs } from '../../document/anchors.ts'
import type { FlowEdge, FlowNode } from '../../document/document.ts'
import type { InputParam } from '../../params/definition.ts'
import { reorderTools } from '../../params/tools.ts'
import { allowed, refused, type Verdict } from '../../rules/verdict.ts'
import type { Connection, Ends, Port, Ports } from '../types.ts'
import { handleTypes, handleWithoutTypes } from './handles.ts'

/** The text by which an input names its source node. */
export function inputReference(nodeId: string): string {
  return `{{${instancePath(nodeId)}}}`
}

export const instancePath = (nodeId: string): string => `${nodeId}.data.instance`

export function ports(node: Pick<FlowNode, 'id' | 'data'>): Ports {
  return {
    inputs: linkableInputs(node).flatMap((input) => portOf(input, Boolean(input.list))),
    outputs: shownOutputs(node.data).flatMap((output) => portOf(output, true)),
  }
}

function portOf(anchor: { id?: unknown; label?: unknown; name?: unknown }, many: boolean): Port[] {
  if (typeof anchor.id !== 'string') return []
  return [{ id: anchor.id, label: String(anchor.label || anchor.name || ''), types: handleTypes(anchor.id), many }]
}

/** Returns the node with the first of its outputs chosen that the input takes. */
export function withOutputFor(node: FlowNode, { types }: Port): FlowNode {
  const choices = outputChoices(node.data)
  const fits = choices.filter(({ id }) => id !== undefined && handleTypes(id).some((type) => types.includes(type)))
  const chosen = chosenOutput(node.data)
  const [first] = fits
  return !first?.name || fits.some(({ name }) => name === chosen) ? node : withOutput(node, first.name)
}

/** Returns the node with one of its outputs chosen. */
export function withOutput(node: FlowNode, output: string): FlowNode {
  const { outputs, outputAnchors } = node.data
  const name = String(outputAnchors?.[0]?.name ?? 'output')
  return { ...node, data: { ...node.data, outputs: { ...outputs, [name]: output } } }
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
  const key = handleWithoutTypes(handleId ?? '')
  return linkableInputs(node).find(({ id }) => id !== undefined && handleWithoutTypes(id) === key)
}

function withInput(node: FlowNode, name: string, value: unknown): FlowNode {
  return { ...node, data: { ...node.data, inputs: { ...node.data.inputs, [name]: value } } }
}
