/** The fields of the dialog, and the tool that they stand for. */
import { PARAMETER_NAME, parseParameters, type ToolParameter } from '#contract/tools/parameters.ts'
import { DEFAULT_TOOL_COLOR, type ToolFile } from '#contract/tools/tool-file.ts'
import { type FormErrors, fieldErrors } from '../../ui/forms/form-errors.ts'

/** A row of the grid; `key` tells rows apart while names are being typed. */
export interface ParameterRow extends ToolParameter {
  key: string
}

export interface ToolFields extends Omit<ToolFile, 'schema' | 'func'> {
  func: string
  parameters: ParameterRow[]
}

export function toFields(tool: ToolFile | undefined): ToolFields {
  return {
    name: tool?.name ?? '',
    description: tool?.description ?? '',
    color: tool?.color ?? DEFAULT_TOOL_COLOR,
    iconSrc: tool?.iconSrc ?? null,
    func: tool?.func ?? '',
    parameters: parseParameters(tool?.schema).map((each, index) => ({ ...each, key: `stored-${index}` })),
  }
}

/** Returns the JSON text of the rows, numbered as in Flowise's files. */
export function schemaOf(rows: readonly ParameterRow[]): string {
  return JSON.stringify(rows.map(({ key: _, ...parameter }, id) => ({ id, ...parameter })))
}

export function checkTool({ name, description, parameters, func }: ToolFields): FormErrors {
  return fieldErrors({
    name: name.trim() === '' && 'Enter a name.',
    description: description.trim() === '' && 'Describe what the tool does.',
    parameters: parameterProblem(parameters),
    func: func.trim() === '' && 'Write the function.',
  })
}

function parameterProblem(parameters: readonly ParameterRow[]): string | undefined {
  const names = parameters.map(({ property }) => property)
  const wrong = names.find((name) => !PARAMETER_NAME.test(name))
  if (wrong === '') return 'Name every parameter, or remove it.'
  if (wrong !== undefined) return `“${wrong}” can’t be a name: use letters, digits and _, and start with no digit.`
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice && `Two parameters are named “${twice}”.`
}
