/** The files that an input names, as stores keep them: `FILE-STORAGE::["a.pdf"]`. Pure. */

const PREFIX = 'FILE-STORAGE::'

/** Returns the names of stored files; nothing for any other value. */
export function storedNames(value: unknown): string[] {
  if (typeof value !== 'string' || !value.startsWith(PREFIX)) return []
  const rest = value.slice(PREFIX.length)
  if (!rest.startsWith('[')) return rest === '' ? [] : [rest]
  try {
    const names: unknown = JSON.parse(rest)
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch {
    return [rest]
  }
}

/** Returns the value of an input that names these files. */
export const storedValue = (names: readonly string[]): string =>
  names.length === 0 ? '' : `${PREFIX}${JSON.stringify(names)}`
