/** The maximum length that all providers accept. */
const MAX_LENGTH = 64

/** Makes tool names unique: the second `requests_get` becomes `requests_get_2`, as does one that is in `taken`. */
export function withUniqueNames<T extends { name: string }>(tools: readonly T[], taken: readonly string[] = []): T[] {
  const known = new Set(taken)
  return tools.map((tool) => {
    // Gemini requires a letter or `_` first.
    const wanted = /^[A-Za-z_]/.test(tool.name) ? tool.name : `_${tool.name}`
    let name = wanted.slice(0, MAX_LENGTH)
    for (let count = 2; known.has(name); count++) name = `${wanted.slice(0, MAX_LENGTH - 4)}_${count}`
    known.add(name)
    return name === tool.name ? tool : { ...tool, name }
  })
}
