import { additionalParam } from '#contract/flow/params/builders.ts'
import { flagOf, numberOf, textOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { itemsIn } from './csv-output-parser.ts'
import { parserNode } from './definition.ts'

export const customListOutputParser: ComponentNodeType = {
  definition: parserNode({
    label: 'Custom List Output Parser',
    name: 'customListOutputParser',
    version: 1,
    type: 'CustomListOutputParser',
    description: 'A list of values, with your separator',
    inputs: [
      additionalParam('Length', 'length', {
        type: 'number',
        step: 1,
        description: 'Number of values. Leave empty for any',
      }),
      additionalParam('Separator', 'separator', { default: ',' }),
    ],
  }),
  async provide({ inputs }) {
    const separator = textOf(inputs.separator) || ','
    const length = numberOf(inputs.length, 0)
    const count = length > 0 ? `exactly ${length} values` : 'values'
    return toComponent('outputParser', {
      instructions: `Answer with a list of ${count}, separated by \`${separator}\`, for example: \`foo${separator} bar${separator} baz\``,
      parse(text) {
        const items = itemsIn(text, separator)
        if (length > 0 && items.length !== length)
          throw new Error(`The answer holds ${items.length} values instead of ${length}`)
        return items
      },
      retries: flagOf(inputs.autofixParser),
    })
  },
}
