import { flagOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { parserNode } from './definition.ts'

export const csvOutputParser: ComponentNodeType = {
  definition: parserNode({
    label: 'CSV Output Parser',
    name: 'csvOutputParser',
    version: 1,
    type: 'CSVListOutputParser',
    description: 'A list of values, separated by commas',
    inputs: [],
  }),
  provide: async ({ inputs }) =>
    toComponent('outputParser', {
      instructions: 'Answer with a list of values, separated by commas, for example: `foo, bar, baz`',
      parse: (text) => itemsIn(text, ','),
      retries: flagOf(inputs.autofixParser),
    }),
}

/** Returns the values between separators. @throws Error when there is none */
export function itemsIn(text: string, separator: string): string[] {
  const items = text
    .split(separator)
    .map((item) => item.trim())
    .filter(Boolean)
  if (items.length === 0) throw new Error('The answer holds no values')
  return items
}
