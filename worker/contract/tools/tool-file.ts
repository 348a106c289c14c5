/** A tool as a file, in Flowise's format. */
import { isRecord, tryParseJson } from '../data/json.ts'
import { PARAMETER_NAME, parseParameters } from './parameters.ts'

export const DEFAULT_TOOL_COLOR = '#5b5bd6'

export interface ToolFile {
  name: string
  description: string
  color: string
  iconSrc: string | null
  /** JSON text of the parameters. */
  schema: string | null
  func: string | null
}

export function toolFile({ name, description, color, iconSrc, schema, func }: ToolFile): ToolFile {
  return { name, description, color, iconSrc, schema, func }
}

/** @throws Error that says what is wrong with the file */
export function readToolFile(text: string): ToolFile {
  const content = tryParseJson(text)
  if (!isRecord(content)) throw invalid('it is not a JSON object')
  const { name, func, schema } = content
  if (typeof name !== 'string' || name.trim() === '') throw invalid('it has no "name"')
  if (typeof func !== 'string') throw invalid('it has no "func", the function of the tool')
  if (schema && !(typeof schema === 'string' && Array.isArray(tryParseJson(schema))))
    throw invalid('"schema" must be the JSON text of a list of parameters')
  const wrong = parseParameters(textOf(schema)).find(({ property }) => !PARAMETER_NAME.test(property))
  if (wrong) throw invalid(`"${wrong.property}" can’t be the name of a parameter`)
  return {
    name,
    func,
    description: textOf(content.description) ?? '',
    color: textOf(content.color) || DEFAULT_TOOL_COLOR,
    iconSrc: textOf(content.iconSrc) || null,
    schema: textOf(schema),
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const invalid = (why: string) => new Error(`Invalid Imported File: ${why}`)
