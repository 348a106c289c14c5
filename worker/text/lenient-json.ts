import JSON5 from 'json5'
import { isTooDeep } from '#contract/data/json.ts'

/**
 * Parses JSON as people and models write it: single quotes, unquoted keys, comments, trailing commas. Linear time.
 * @throws SyntaxError with the position of the problem
 */
export function parseLenientJson(text: string): unknown {
  const value: unknown = JSON5.parse(text)
  if (isTooDeep(value)) throw new SyntaxError('JSON5: nested too deeply')
  return value
}
