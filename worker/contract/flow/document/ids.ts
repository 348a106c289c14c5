/** Returns `<name>_<n>` with the smallest unused n from 0. */
export function nextNodeId(name: string, nodes: Iterable<{ id: string }>): string {
  return idGenerator(nodes)(name)
}

/** Like `nextNodeId` for many new nodes: returns no id twice, and searches for none twice. */
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

/** Returns the number at the end of a node id: `llmAgentflow_2` → `2`. */
export function idNumber(nodeId: string): string {
  return nodeId.slice(nodeId.lastIndexOf('_') + 1)
}
