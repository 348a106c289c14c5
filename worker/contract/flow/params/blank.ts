/** Returns true for missing values, blanks, empty lists, and the rich text editor's empty paragraph. */
export function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (typeof value === 'string') return ['', '<p></p>'].includes(value.replace(/\s/g, ''))
  return value === undefined || value === null
}
