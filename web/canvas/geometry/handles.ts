/** Positions of a node's handles, relative to its top left corner. */
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import type { FlowKind } from '#contract/flow/kinds/types.ts'
import { isErrorHandle } from '#contract/flow/params/run-policy.ts'
import {
  bodyHeight,
  HEADER,
  hasOutputRows,
  isContainer,
  isTyped,
  nodeSize,
  OUTPUT_ROW,
  typedRows,
} from './node-size.ts'

/** A document and the rules that it follows. */
export interface Scene {
  flow: FlowDocument
  kind: FlowKind
}

/** Names a handle. */
export interface HandleRef {
  nodeId: string
  handleId: string | null
  type: 'source' | 'target'
}

export interface HandlePlace {
  id: string
  type: 'source' | 'target'
  label: string
  x: number
  y: number
}

const handlesOfKinds = new WeakMap<FlowKind, WeakMap<FlowNode, readonly HandlePlace[]>>()

/** Returns a handle for each port: inputs at the left, outputs at the right, the error output last. */
export function nodeHandles(node: FlowNode, { flow }: { flow: FlowKind }): readonly HandlePlace[] {
  const known = handlesOfKinds.get(flow) ?? new WeakMap<FlowNode, readonly HandlePlace[]>()
  handlesOfKinds.set(flow, known)
  const handles = known.get(node) ?? placeHandles(node, flow)
  known.set(node, handles)
  return handles
}

function placeHandles(node: FlowNode, flow: FlowKind): HandlePlace[] {
  const { width, height } = nodeSize(node)
  const { inputs, outputs } = flow.ports(node)
  if (isTyped(node)) {
    const rows = typedRows(node)
    return [
      ...inputs.map(({ id, label }, at): HandlePlace => ({ id, label, type: 'target', x: 0, y: rows.inputs[at] ?? 0 })),
      ...outputs.map(
        ({ id, label }, at): HandlePlace => ({ id, label, type: 'source', x: width, y: rows.outputs[at] ?? 0 }),
      ),
    ]
  }
  const middle = (isContainer(node) ? height : bodyHeight(node)) / 2
  const row = (index: number) => HEADER + (index + 0.5) * OUTPUT_ROW
  const outputY = (id: string, index: number) => {
    if (isErrorHandle(id)) return height - OUTPUT_ROW / 2 - 2
    return hasOutputRows(node) ? row(index) : middle
  }
  return [
    ...inputs.map(({ id, label }, index): HandlePlace => {
      return { id, label, type: 'target', x: 0, y: inputs.length > 1 ? row(index) : middle }
    }),
    ...outputs.map(({ id, label }, index): HandlePlace => {
      return { id, label, type: 'source', x: width, y: outputY(id, index) }
    }),
  ]
}

/** Returns the handle where an edge ends: that with the same key, as the types of a component differ between versions. */
export function handleAt(
  node: FlowNode,
  { type, id }: { type: HandlePlace['type']; id: string | null | undefined },
  kind: { flow: FlowKind },
): HandlePlace | undefined {
  const { handleKey } = kind.flow
  return nodeHandles(node, kind).find((each) => each.type === type && handleKey(each.id) === handleKey(id ?? ''))
}
