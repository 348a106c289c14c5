/** The name and the description by which a model chooses. */
import type { InputParam } from '#contract/flow/params/definition.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { StepContext } from '../../types.ts'

/** @param example what empty fields show */
export const routeParams = (what: string, example: { name: string; description: string }): InputParam[] => [
  { label: `${what} name`, name: 'name', type: 'string', placeholder: example.name },
  {
    label: `${what} description`,
    name: 'description',
    type: 'string',
    rows: 3,
    description: 'When the model should use it',
    placeholder: example.description,
  },
]

export function requireRoute({ inputs, node }: StepContext): { name: string; description: string } {
  const name = textOf(inputs.name).trim()
  if (name === '') throw new Error(`${node.label}: enter a name`)
  return { name, description: textOf(inputs.description) }
}
