/** Creates nodes from definitions of components (compat 1.2, 1.3, 1.5). */

import type { FlowKind } from '../kinds/types.ts'
import type { ComponentDefinition, InputParam } from '../params/definition.ts'
import { isParam, isVisible, storedParams, withDisplay } from '../params/params.ts'
import type { FlowNode, NodeData } from './document.ts'
import { inputHandleId } from './handles.ts'
import { nextNodeId } from './ids.ts'

interface Placement {
  /** The existing nodes, whose ids the new id avoids. */
  nodes: readonly FlowNode[]
  position: { x: number; y: number }
  /** The target container, to which the position is then relative. */
  parentNode?: string
}

/** Returns a new node with the default value of every input. */
export function createNode(
  definition: ComponentDefinition,
  { nodes, position, parentNode }: Placement,
  kind: FlowKind,
): FlowNode {
  const id = nextNodeId(definition.name, nodes)
  const { type, ...size } = kind.frame(definition)
  return {
    id,
    type,
    position,
    ...size,
    ...(parentNode ? { parentNode, extent: 'parent' } : {}),
    selected: false,
    data: nodeData(definition, id, kind),
  }
}

/** Returns the inputs and anchors of a node by its definition, for creation and upgrades. */
export function declaredParts(definition: ComponentDefinition, id: string, kind: FlowKind) {
  const declared = [...(definition.credential ? [credentialParam(definition.credential)] : []), ...definition.inputs]
  const withIds = declared.map((input) => ({
    ...structuredClone(input),
    id: inputHandleId(id, input.name, input.type),
  }))
  return {
    params: withIds.filter((input) => isParam(input.type)),
    anchors: withIds.filter((input) => !isParam(input.type)),
    defaults: defaultInputs(definition.inputs),
    outputAnchors: definition.hideOutput ? [] : kind.outputAnchors(definition, id),
  }
}

/** Returns the default of each input, or `''`. If several inputs have one name, the visible one counts. */
export function defaultInputs(inputs: readonly InputParam[]): Record<string, unknown> {
  const all: Record<string, unknown> = {}
  for (const input of inputs) {
    const shown = isVisible(input, { params: inputs, inputs: {} })
    if (shown || !Object.hasOwn(all, input.name)) all[input.name] = structuredClone(input.default ?? '')
  }
  return all
}

function nodeData(definition: ComponentDefinition, id: string, kind: FlowKind): NodeData {
  const { label: _label, inputs: _inputs, outputs: _outputs, credential, ...described } = structuredClone(definition)
  const { params, anchors, defaults, outputAnchors } = declaredParts(definition, id, kind)
  return {
    ...described,
    id,
    label: kind.newLabel(definition, id),
    inputParams: storedParams(withDisplay(params, defaults)),
    inputAnchors: storedParams(anchors),
    inputs: defaults,
    outputAnchors,
    outputs: definition.outputs?.length ? kind.initialOutputs(definition) : {},
    ...(credential ? { credential: '' } : {}),
    selected: false,
  }
}

function credentialParam(credential: InputParam): InputParam {
  return { ...credential, name: 'credential', type: 'credential' }
}
