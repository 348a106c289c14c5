/** A model tells tools apart by name: the second `requests_get` becomes `requests_get_2`. */
export function withUniqueNames<T extends { name: string }>(tools: readonly T[]): T[] {
  const taken = new Set<string>()
  return tools.map((tool) => {
    let name = tool.name
    for (let count = 2; taken.has(name); count++) name = `${tool.name}_${count}`
    taken.add(name)
    return name === tool.name ? tool : { ...tool, name }
  })
}
