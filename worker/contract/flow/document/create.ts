/** A component's definition becomes a node on the canvas (compat 1.2, 1.3, 1.5). */
import type { ComponentDefinition, InputParam } from '../params/definition.ts'
import { isParam, isVisible, storedParams, withDisplay } from '../params/params.ts'
import { allowed, refused, type Verdict } from '../rules/verdict.ts'
import type { Anchor, FlowDocument, FlowNode, NodeData } from './document.ts'
import { agentOutputHandleId, inputHandleId, outputHandleId } from './handles.ts'
import { nextLabel, nextNodeId } from './ids.ts'
import { ITERATION, isAgentFlowNode, isStickyNote, START } from './node-kinds.ts'

export interface Placement {
  /** The nodes that are there already: the new id avoids theirs. */
  nodes: readonly FlowNode[]
  position: { x: number; y: number }
  /** The iteration it is dropped into; the position is then relative to it. */
  parentNode?: string
}

const ITERATION_SIZE = { width: 300, height: 250 }
/** Flowise refuses Human Input there too; here a run can wait inside an iteration. */
const NOT_IN_ITERATION = new Set([ITERATION, START])

/** A new node with every input at its declared default. */
export function createNode(definition: ComponentDefinition, { nodes, position, parentNode }: Placement): FlowNode {
  const id = nextNodeId(definition.name, nodes)
  const type = wrapperType(definition)
  return {
    id,
    type,
    position,
    ...(type === 'iteration' ? { ...ITERATION_SIZE, style: ITERATION_SIZE } : {}),
    ...(parentNode ? { parentNode, extent: 'parent' } : {}),
    selected: false,
    data: nodeData(definition, id),
  }
}

/** Whether a component may be put on the canvas there: one Start, and what an iteration cannot hold. */
export function checkPlacement(
  flow: Pick<FlowDocument, 'nodes'>,
  component: Pick<ComponentDefinition, 'name' | 'label'>,
  parentNode?: string,
): Verdict {
  if (component.name === START && flow.nodes.some((node) => node.data.name === START)) {
    return refused('Only one Start node is allowed.')
  }
  if (parentNode && NOT_IN_ITERATION.has(component.name)) {
    return refused(`${component.label} cannot be placed inside an iteration.`)
  }
  return allowed
}

/** The inputs and anchors that a definition gives to the node of this id; shared by creation and version upgrade. */
export function declaredParts(definition: ComponentDefinition, id: string) {
  const declared = [...(definition.credential ? [credentialParam(definition.credential)] : []), ...definition.inputs]
  const withIds = declared.map((input) => ({
    ...structuredClone(input),
    id: inputHandleId(id, input.name, input.type),
  }))
  return {
    params: withIds.filter((input) => isParam(input.type)),
    anchors: withIds.filter((input) => !isParam(input.type)),
    defaults: defaultInputs(definition.inputs),
    outputAnchors: outputAnchors(definition, id),
  }
}

/**
 * Each input's default, `''` where none is declared. Of several inputs with one name the shown one counts.
 */
export function defaultInputs(inputs: readonly InputParam[]): Record<string, unknown> {
  const all: Record<string, unknown> = {}
  for (const input of inputs) {
    const shown = isVisible(input, { params: inputs, inputs: {} })
    if (shown || !Object.hasOwn(all, input.name)) all[input.name] = structuredClone(input.default ?? '')
  }
  return all
}

function wrapperType(definition: ComponentDefinition): string {
  if (isStickyNote(definition)) return 'stickyNote'
  if (definition.name === ITERATION) return 'iteration'
  return isAgentFlowNode(definition) ? 'agentFlow' : 'customNode'
}

function nodeData(definition: ComponentDefinition, id: string): NodeData {
  const { label: _label, inputs: _inputs, outputs: _outputs, credential, ...described } = structuredClone(definition)
  const { params, anchors, defaults, outputAnchors } = declaredParts(definition, id)
  return {
    ...described,
    id,
    label: nextLabel(definition, id),
    inputParams: storedParams(withDisplay(params, defaults)),
    inputAnchors: storedParams(anchors),
    inputs: defaults,
    outputAnchors,
    outputs: initialOutputs(definition),
    ...(credential ? { credential: '' } : {}),
    selected: false,
  }
}

function credentialParam(credential: InputParam): InputParam {
  return { ...credential, name: 'credential', type: 'credential' }
}

function initialOutputs(definition: ComponentDefinition): Record<string, unknown> {
  const first = definition.outputs?.[0]
  if (!first) return {}
  return isAgentFlowNode(definition) ? { [definition.name]: '' } : { output: first.name }
}

function outputAnchors(definition: ComponentDefinition, id: string): Anchor[] {
  if (definition.hideOutput) return []
  return isAgentFlowNode(definition) ? agentAnchors(definition, id) : classicAnchors(definition, id)
}

function agentAnchors({ name, label, outputs }: ComponentDefinition, id: string): Anchor[] {
  if (!outputs?.length) return [{ id: agentOutputHandleId(id, name), label, name }]
  return outputs.map((_, index) => ({ id: agentOutputHandleId(id, index), label, name }))
}

function classicAnchors(definition: ComponentDefinition, id: string): Anchor[] {
  const { name, type, description, baseClasses, outputs } = definition
  if (!outputs?.length) {
    const handle = outputHandleId(id, name, baseClasses)
    return [{ id: handle, name, label: type, description, type: baseClasses.join(' | ') }]
  }
  const options = outputs.map((output) => {
    const classes = output.baseClasses ?? []
    return { ...output, id: outputHandleId(id, output.name, classes), type: classes.join(' | ') }
  })
  return [{ name: 'output', label: 'Output', type: 'options', options, default: outputs[0]?.name } as unknown as Anchor]
}
