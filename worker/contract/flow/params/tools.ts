/** Orders an agent's tools (spec section 5): read-like, write-like, then all others. */

const READS = new Set(['read', 'get'])
const WRITES = new Set(['write', 'post', 'put', 'patch', 'delete'])

/** Sorts stably by the words of each tool's name: `readFile`, `requests_get`, `{{requestsPost_0.data.instance}}`. */
export function reorderTools<Tool>(tools: readonly Tool[], nameOf: (tool: Tool) => string): Tool[] {
  return tools.toSorted((a, b) => rank(nameOf(a)) - rank(nameOf(b)))
}

function rank(name: string): number {
  const words = name.match(/[A-Z]?[a-z]+|[A-Z]+/g)?.map((word) => word.toLowerCase()) ?? []
  if (words.some((word) => READS.has(word))) return 0
  return words.some((word) => WRITES.has(word)) ? 1 : 2
}
