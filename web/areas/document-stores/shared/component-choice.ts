/** A chosen component of a store with its inputs. Pure. */
import { defaultInputs } from '#contract/flow/document/create.ts'
import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import { isBlank } from '#contract/flow/params/blank.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { visibleParams } from '#contract/flow/params/params.ts'

export interface ComponentChoice {
  name: string
  config: Record<string, unknown>
}

/** Returns the choice of a component with its defaults. */
export const toChoice = ({ name, inputs }: ComponentDefinition): ComponentChoice => ({
  name,
  config: defaultInputs(inputs),
})

/** Returns what to fill in before the choice can be used; undefined when nothing is missing. */
export function missingInput(
  definitions: readonly ComponentDefinition[],
  choice: ComponentChoice | null,
): string | undefined {
  const definition = definitions.find(({ name }) => name === choice?.name)
  if (!choice || !definition) return undefined
  const { credential, inputs } = definition
  const isMissing = ({ name, optional, default: value }: ComponentDefinition['inputs'][number]) =>
    !optional && isBlank(choice.config[name] ?? value)
  const missing =
    credential && !credential.optional && isBlank(choice.config[CREDENTIAL_ID])
      ? credential
      : visibleParams(inputs, choice.config).find(isMissing)
  return missing && `${definition.label}: fill in “${missing.label}”.`
}
