/** Names for new nodes. */
import type { ComponentDefinition } from '../params/definition.ts'
import type { NodeData } from './document.ts'
import { isAgentFlowNode, isStickyNote, START } from './node-kinds.ts'

/** `<name>_<n>`, n rising from 0 until the id is unused. */
export function nextNodeId(name: string, nodes: Iterable<{ id: string }>): string {
  return idGenerator(nodes)(name)
}

/** As `nextNodeId`, for many new nodes at once: no id is given twice, and none is searched for twice. */
export function idGenerator(nodes: Iterable<{ id: string }>): (name: string) => string {
  const used = new Set<string>()
  for (const { id } of nodes) used.add(id)
  const counters = new Map<string, number>()
  return (name) => {
    let counter = counters.get(name) ?? 0
    while (used.has(`${name}_${counter}`)) counter += 1
    counters.set(name, counter + 1)
    return `${name}_${counter}`
  }
}

/** The number at the end of a node id: `llmAgentflow_2` → `2`. */
export function idNumber(nodeId: string): string {
  return nodeId.slice(nodeId.lastIndexOf('_') + 1)
}

/** A new node's label: in agent flows with the id's number (`LLM 0`), except for Start and sticky notes. */
export function nextLabel(definition: ComponentDefinition, nodeId: string): string {
  const numbered = isAgentFlowNode(definition) && definition.name !== START && !isStickyNote(definition)
  return numbered ? `${definition.label} ${idNumber(nodeId)}` : definition.label
}

/**
 * A copy's label ends with the copy's own number: `LLM 0` → `LLM 1`, `Translator` → `Translator 1`; classic nodes
 * show it in brackets. Start and sticky notes keep theirs.
 */
export function copyLabel(data: NodeData, newId: string): string {
  if (newId === data.id || data.name === START || isStickyNote(data)) return data.label
  if (!isAgentFlowNode(data)) return `${data.label} (${idNumber(newId)})`
  const own = ` ${idNumber(data.id)}`
  const base = data.label.endsWith(own) ? data.label.slice(0, -own.length) : data.label
  return `${base} ${idNumber(newId)}`
}
