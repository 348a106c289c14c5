import JSON5 from 'json5'
import { isTooDeep } from '#contract/json.ts'

/**
 * JSON as people and models write it: single quotes, bare keys, comments, a comma too many. One pass over the text.
 * @throws SyntaxError that says where it cannot be read
 */
export function parseLenientJson(text: string): unknown {
  const value: unknown = JSON5.parse(text)
  if (isTooDeep(value)) throw new SyntaxError('JSON5: nested too deeply')
  return value
}
