import { additionalParam } from '#contract/flow/params/builders.ts'
import { isOn, text } from '../../inputs/component-config.ts'
import { toolDefinition } from '../definition.ts'
import type { ToolType } from '../types.ts'
import { readPath } from './json-path.ts'

/** `anyOf`, because providers reject a list of types. */
const ANY_JSON = [{ type: 'string' }, { type: 'object', properties: {} }, { type: 'array', items: {} }]

export const jsonPathExtractor: ToolType = {
  definition: toolDefinition({
    label: 'JSON Path Extractor',
    name: 'jsonPathExtractor',
    type: 'JSONPathExtractor',
    version: 1,
    description: 'Extracts a value from JSON by its path',
    hint: 'Paths consist of names, indexes and [*] for all entries, with an optional leading $. Filters, slices and .. are not supported.',
    inputs: [
      {
        label: 'JSON path',
        name: 'path',
        type: 'string',
        placeholder: 'data',
        description: 'For example data, user.name, items[0].id, or items[*].id for all items',
      },
      additionalParam('Return null on error', 'returnNullOnError', {
        type: 'boolean',
        default: false,
        description: 'Return null instead of an error when the value does not exist',
      }),
    ],
  }),
  open({ config }) {
    const path = text(config, 'path')
    if (!path) throw new Error('JSON Path Extractor: JSON path is empty')
    return [
      {
        name: 'json_path_extractor',
        description: `Extracts the value at the path ${path} from JSON.`,
        parameters: {
          type: 'object',
          properties: { json: { description: 'The JSON, as text or as a value', anyOf: ANY_JSON } },
          required: ['json'],
          additionalProperties: false,
        },
        hasEffect: false,
        async call({ json }) {
          try {
            const value = readPath(parsed(json), path)
            return typeof value === 'string' ? value : JSON.stringify(value)
          } catch (error) {
            if (isOn(config, 'returnNullOnError')) return 'null'
            throw error
          }
        },
      },
    ]
  },
}

function parsed(json: unknown): unknown {
  if (typeof json !== 'string') return json
  try {
    return JSON.parse(json)
  } catch {
    throw new Error(`Invalid JSON: ${json.slice(0, 100)}`)
  }
}
