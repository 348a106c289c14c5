/** Nothing, blanks, an empty list, or the rich text editor's empty paragraph: a person has filled nothing in. */
export function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (typeof value === 'string') return ['', '<p></p>'].includes(value.replace(/\s/g, ''))
  return value === undefined || value === null
}
