import { MODEL_CATEGORY, TOOL_CATEGORIES } from '#contract/flow/params/categories.ts'
import type { ComponentDefinition, InputParam, ParamOption } from '#contract/flow/params/definition.ts'

/** Returns the models or tools that a parameter chooses from; undefined for other parameters. */
export function componentOptions(
  definitions: Iterable<ComponentDefinition>,
  { loadMethod }: Pick<InputParam, 'loadMethod'>,
): ParamOption[] | undefined {
  if (loadMethod === 'listModels') return ofCategory([...definitions], MODEL_CATEGORY)
  if (loadMethod !== 'listTools') return undefined
  return TOOL_CATEGORIES.flatMap((category) => ofCategory([...definitions], category))
}

const ofCategory = (definitions: readonly ComponentDefinition[], category: string): ParamOption[] =>
  definitions.filter((each) => each.category === category).map(asOption)

const asOption = ({ label, name, description }: ComponentDefinition): ParamOption => ({ label, name, description })
