import { textOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { parserNode } from './definition.ts'
import { structuredParser } from './structured-output.ts'
import { readZodText } from './zod-text.ts'

const EXAMPLE = `z.object({
  title: z.string(), // Title of the movie
  yearOfRelease: z.number().int(), // Year of release
  genres: z.enum(["Action", "Comedy", "Drama", "Fantasy", "Horror", "Romance", "Thriller"]).array().max(2),
  shortDescription: z.string().max(500) // Short description
})`

export const advancedStructuredOutputParser: ComponentNodeType = {
  definition: parserNode({
    label: 'Advanced Structured Output Parser',
    name: 'advancedStructuredOutputParser',
    version: 1,
    type: 'AdvancedStructuredOutputParser',
    description: 'An object that matches a zod schema',
    hint: 'The schema is parsed, not executed. Objects, lists, enums, unions, strings, numbers and descriptions are supported; other checks are ignored.',
    inputs: [
      {
        label: 'Example JSON',
        name: 'exampleJson',
        type: 'string',
        rows: 10,
        description: 'The zod schema of the answer',
        default: EXAMPLE,
      },
    ],
  }),
  async provide({ inputs }) {
    const schema = readZodText(textOf(inputs.exampleJson))
    if (schema.type !== 'object') throw new Error('Example JSON must be a z.object({ … })')
    return toComponent('outputParser', structuredParser(schema, inputs))
  },
}
