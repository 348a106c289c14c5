/** Parts of new nodes that are specific to agent flows. */
import type { Anchor, FlowDocument, NodeData } from '../../document/document.ts'
import { idNumber } from '../../document/ids.ts'
import { isStickyNote } from '../../document/sticky-note.ts'
import type { ComponentDefinition } from '../../params/definition.ts'
import { allowed, refused, type Verdict } from '../../rules/verdict.ts'
import type { NodeFrame } from '../types.ts'
import { outputHandleId } from './handles.ts'
import { ITERATION, START } from './nodes.ts'

const ITERATION_SIZE = { width: 300, height: 250 }
/** Flowise also rejects Human Input here, but our runs can wait inside an iteration. */
const NOT_IN_ITERATION = new Set([ITERATION, START])

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

export function frame(definition: ComponentDefinition): NodeFrame {
  if (isStickyNote(definition)) return { type: 'stickyNote' }
  if (definition.name === ITERATION) return { type: 'iteration', ...ITERATION_SIZE, style: ITERATION_SIZE }
  return { type: 'agentFlow' }
}

/** `LLM 0`: numbered as the id, except for Start and sticky notes. */
export function newLabel(definition: ComponentDefinition, nodeId: string): string {
  const isNumbered = definition.name !== START && !isStickyNote(definition)
  return isNumbered ? `${definition.label} ${idNumber(nodeId)}` : definition.label
}

/**
 * Ends the label with the number of the copy: `LLM 0` → `LLM 1`, `Translator` → `Translator 1`. Start and sticky notes
 * keep theirs.
 */
export function copyLabel(data: NodeData, newId: string): string {
  if (data.name === START || isStickyNote(data)) return data.label
  const own = ` ${idNumber(data.id)}`
  const base = data.label.endsWith(own) ? data.label.slice(0, -own.length) : data.label
  return `${base} ${idNumber(newId)}`
}

export function outputAnchors({ name, label, outputs }: ComponentDefinition, id: string): Anchor[] {
  if (!outputs?.length) return [{ id: outputHandleId(id, name), label, name }]
  return outputs.map((_, index) => ({ id: outputHandleId(id, index), label, name }))
}
