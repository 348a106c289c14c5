/** Lists the content of a flow that its export omits: secrets, credentials and editor state. */

import type { FlowDocument } from '../document/document.ts'
import { exportFlow } from '../document/serialize.ts'
import { isBlank } from '../params/blank.ts'
import type { ComponentDefinition } from '../params/definition.ts'

const MAX_NAMES = 20

/** Returns at most one note: `Not exported: credential (Fetch), viewport`. Ignores empty values. */
export function leftOutOfExports(flow: FlowDocument, components: Iterable<ComponentDefinition>): string[] {
  const exported = exportFlow(flow, components)
  const places = new Map<string, string[]>()
  for (const [index, { id, data }] of flow.nodes.entries()) {
    for (const path of missingPaths(data, exported.nodes[index]?.data)) {
      const names = places.get(path) ?? []
      names.push(data.label || id)
      places.set(path, names)
    }
  }
  const parts = [...places].map(([path, names]) => `${path} (${listed(names)})`)
  const { nodes: _nodes, edges: _edges, ...rest } = flow
  const all = [...parts, ...missingPaths(rest, exported)]
  return all.length > 0 ? [`Not exported: ${all.join(', ')}`] : []
}

/** Returns at most 20 names of nodes. */
export const listed = (names: string[]) =>
  [...names.slice(0, MAX_NAMES), ...(names.length > MAX_NAMES ? ['…'] : [])].join(', ')

/** Returns paths such as `inputs.llmModelConfig.FLOWISE_CREDENTIAL_ID`. */
function missingPaths(before: unknown, after: unknown): string[] {
  if (typeof before !== 'object' || before === null) return []
  return Object.entries(before).flatMap(([key, value]) => {
    if (isBlank(value)) return []
    if (!Object.hasOwn(Object(after), key)) return [key]
    const inside = missingPaths(value, (after as Record<string, unknown>)[key])
    return inside.map((path) => `${key}.${path}`)
  })
}
