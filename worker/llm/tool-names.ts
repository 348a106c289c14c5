/** No provider takes longer ones. */
const MAX_LENGTH = 64

/** A model tells tools apart by name: the second `requests_get` becomes `requests_get_2`, and so does one that is `taken`. */
export function withUniqueNames<T extends { name: string }>(tools: readonly T[], taken: readonly string[] = []): T[] {
  const known = new Set(taken)
  return tools.map((tool) => {
    // Gemini wants a letter or `_` first.
    const wanted = /^[A-Za-z_]/.test(tool.name) ? tool.name : `_${tool.name}`
    let name = wanted.slice(0, MAX_LENGTH)
    for (let count = 2; known.has(name); count++) name = `${wanted.slice(0, MAX_LENGTH - 4)}_${count}`
    known.add(name)
    return name === tool.name ? tool : { ...tool, name }
  })
}
