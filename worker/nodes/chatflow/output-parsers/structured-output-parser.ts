import { tryParseJson } from '#contract/data/json.ts'
import { itemsOf, textOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { parserNode } from './definition.ts'
import { structuredParser } from './structured-output.ts'

const EXAMPLE = [
  { property: 'answer', type: 'string', description: 'The answer to the question' },
  { property: 'source', type: 'string', description: 'The source of the answer, a website' },
]

export const structuredOutputParser: ComponentNodeType = {
  definition: parserNode({
    label: 'Structured Output Parser',
    name: 'structuredOutputParser',
    version: 1,
    type: 'StructuredOutputParser',
    description: 'An object with the properties you list',
    inputs: [
      {
        label: 'JSON structure',
        name: 'jsonStructure',
        type: 'datagrid',
        description: 'The properties of the answer',
        datagrid: [
          { field: 'property', headerName: 'Property' },
          {
            field: 'type',
            headerName: 'Type',
            type: 'singleSelect',
            valueOptions: ['string', 'number', 'boolean'],
          },
          { field: 'description', headerName: 'Description', flex: 1 },
        ],
        default: EXAMPLE,
        additionalParams: true,
      },
    ],
  }),
  provide: async ({ inputs }) =>
    toComponent('outputParser', structuredParser(buildSchema(inputs.jsonStructure), inputs)),
}

const TYPES = ['string', 'number', 'boolean']

function buildSchema(value: unknown): Record<string, unknown> {
  const rows = itemsOf(typeof value === 'string' ? tryParseJson(value) : value).filter(({ property }) =>
    textOf(property),
  )
  if (rows.length === 0) throw new Error('JSON structure has no properties')
  const properties = rows.map(({ property, type, description }) => [
    textOf(property),
    {
      type: TYPES.includes(textOf(type)) ? textOf(type) : 'string',
      ...(textOf(description) && { description: textOf(description) }),
    },
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  }
}
