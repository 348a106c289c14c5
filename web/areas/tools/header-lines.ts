/** Headers as lines of text: `Name: value`. */

/** The server sends it in place of a stored value. Sent back, it keeps the value. */
export const BLANK_SECRET = '_FLOWISE_BLANK_07167752-1a71-43b1-bf8f-4f32252165db'
const STORED = '(stored)'

export const headerLines = (headers: Record<string, string>): string =>
  Object.keys(headers)
    .map((name) => `${name}: ${STORED}`)
    .join('\n')

/** Returns undefined when a line is no header. */
export function readHeaderLines(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const entries = lines.map((line) => {
    const colon = line.indexOf(':')
    const value = line.slice(colon + 1).trim()
    return [line.slice(0, Math.max(colon, 0)).trim(), value === STORED ? BLANK_SECRET : value] as const
  })
  if (entries.some(([name, value]) => !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || value === '')) return undefined
  return Object.fromEntries(entries)
}
