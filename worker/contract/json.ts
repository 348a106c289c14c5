/** The JSON in a text that a model wrote: bare, or in a fenced block. undefined when there is none. */
export function readJson(text: string): unknown {
  const fenced = /```(?:json)?[ \t]*\n([\s\S]*?)\n?```/.exec(text)?.[1]
  try {
    return JSON.parse(fenced ?? text)
  } catch {
    return undefined
  }
}
