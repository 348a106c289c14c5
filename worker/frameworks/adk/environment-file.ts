/** `.env` files: names and values, most of which are keys of providers. */

/** True for `.env`, `.env.local` and `prod.env`. */
export const isEnvironmentFile = (name: string): boolean => /(?:^|\/)(?:\.env(?:\.[^/]*)?|[^/]*\.env)$/.test(name)

interface EnvironmentNames {
  /** The text without values. Comments stay, but for what looks like a setting. */
  text: string
  names: readonly { name: string; line: number }[]
}

/** Returns the names of an environment file; its values are dropped, also those of several lines. */
export function withoutValues(text: string): EnvironmentNames {
  const names: { name: string; line: number }[] = []
  let quote = ''
  const lines = text.split('\n').map((written, index) => {
    const end = written.endsWith('\r') ? '\r' : ''
    if (quote) {
      if (written.includes(quote)) quote = ''
      return end
    }
    const equals = written.indexOf('=')
    if (equals < 0) return written.trimStart().startsWith('#') ? written : end
    const name = written
      .slice(0, equals)
      .trim()
      .replace(/^export\s+/, '')
    const value = written.slice(equals + 1).trim()
    if (/^\w+$/.test(name) && value) names.push({ name, line: index + 1 })
    quote = openQuote(value)
    return `${written.slice(0, equals + 1)}${end}`
  })
  return { text: lines.join('\n'), names }
}

/** Returns the quote that a value opens and does not close. */
function openQuote(value: string): string {
  const [first = ''] = value
  return (first === '"' || first === "'") && value.indexOf(first, 1) < 0 ? first : ''
}
