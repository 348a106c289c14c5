/** Refuses what a call sends, by the field that is wrong. */
import { findJsonProblem, MAX_VALUES } from '#contract/data/json-text.ts'
import { HeddleError } from '#contract/errors.ts'

/** Returns a `bad_request` for a field by its path; without one, for the whole body. */
export function badField(field: string | undefined, message: string): HeddleError {
  return field
    ? new HeddleError('bad_request', `${field}: ${message}`, { field })
    : new HeddleError('bad_request', message)
}

/**
 * Returns the value of a JSON text. Throws `bad_request`: before it is parsed when that would cost too much, or when the
 * database could not keep it.
 * @param field that holds the text; absent for the whole body
 */
export function parseReadable(
  text: string,
  { field, maxValues = MAX_VALUES }: { field?: string; maxValues?: number | undefined } = {},
): unknown {
  const problem = findJsonProblem(text, maxValues)
  if (problem) {
    const messages = {
      values: `This has more than ${maxValues} values. Send less at once`,
      depth: 'This is nested too deeply',
      nul: 'This contains a NUL character',
    }
    throw badField([...(field ? [field] : []), ...problem.path].join('.'), messages[problem.kind])
  }
  try {
    return JSON.parse(text)
  } catch {
    throw badField(field, field ? 'This is not valid JSON' : 'The body is not valid JSON')
  }
}
