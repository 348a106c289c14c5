/** Describes the nodes of an upsert for its history. */
import { storedFileNames } from '#contract/document-stores/file-inputs.ts'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { paramsOf } from '#contract/flow/params/params.ts'
import { labelOf } from '#contract/flow/rules/problem.ts'

const MAX_VALUE = 200

/** Returns nodes with their plain inputs in Flowise's shape, as the history of upserts keeps them. */
export function describeNodes(nodes: readonly FlowNode[]) {
  return nodes.map((node) => ({
    id: node.id,
    name: node.data.name,
    label: labelOf(node),
    category: node.data.category ?? '',
    paramValues: paramsOf(node).flatMap(({ label, name, type }) => {
      const value = plainValue(node.data.inputs?.[name], type)
      return value === undefined ? [] : [{ label, name, type, value }]
    }),
  }))
}

const HIDDEN: readonly string[] = ['password', 'credential', 'code', 'json']

function plainValue(value: unknown, type: string): string | undefined {
  if (HIDDEN.includes(type) || value === '' || value === null || typeof value === 'object') return undefined
  if (type === 'file' || type === 'folder') return storedFileNames(value)?.join(', ')
  return value === undefined ? undefined : String(value).slice(0, MAX_VALUE)
}
