import { toolDefinition } from '../definition.ts'
import type { ToolType } from '../types.ts'
import { evaluate } from './arithmetic.ts'

export const calculator: ToolType = {
  definition: toolDefinition({
    label: 'Calculator',
    name: 'calculator',
    type: 'Calculator',
    version: 1,
    description: 'Evaluates arithmetic expressions',
    inputs: [],
  }),
  open: () => [
    {
      name: 'calculator',
      description: 'Evaluates an arithmetic expression and returns the result. Useful for any question about math.',
      parameters: {
        type: 'object',
        properties: {
          input: { type: 'string', description: 'The expression, for example (3 + 4) * 2 ^ 3 or sqrt(2) / max(1, 5)' },
        },
        required: ['input'],
        additionalProperties: false,
      },
      hasEffect: false,
      call: async ({ input }) => String(evaluate(String(input))),
    },
  ],
}
