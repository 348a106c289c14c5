import { isOn, text } from '../../models/config.ts'
import { additionalParam, toolDefinition } from '../definition.ts'
import type { ToolType } from '../types.ts'
import { readPath } from './json-path.ts'

/** A list of types would be refused by OpenAI for its lists, and by others at all. */
const ANY_JSON = [{ type: 'string' }, { type: 'object', properties: {} }, { type: 'array', items: {} }]

export const jsonPathExtractor: ToolType = {
  definition: toolDefinition({
    label: 'JSON Path Extractor',
    name: 'jsonPathExtractor',
    type: 'JSONPathExtractor',
    version: 1,
    description: 'Takes one value out of JSON by its path',
    hint: 'A path has names and indexes, and [*] for all of a list or an object; $ may stand in front. Filters, slices and .. are not known.',
    inputs: [
      {
        label: 'JSON Path',
        name: 'path',
        type: 'string',
        placeholder: 'data',
        description: 'For example data, user.name, items[0].id, or items[*].id for all of them',
      },
      additionalParam('Return Null on Error', 'returnNullOnError', {
        type: 'boolean',
        default: false,
        description: 'Answers null where there is no such value, instead of an error',
      }),
    ],
  }),
  open({ config }) {
    const path = text(config, 'path')
    if (!path) throw new Error('JSON Path Extractor: JSON Path is empty')
    return [
      {
        name: 'json_path_extractor',
        description: `Takes the value at the path ${path} out of JSON.`,
        parameters: {
          type: 'object',
          properties: { json: { description: 'The JSON, as text or as it is', anyOf: ANY_JSON } },
          required: ['json'],
          additionalProperties: false,
        },
        hasEffect: false,
        async call({ json }) {
          try {
            const value = readPath(parsed(json), path)
            return typeof value === 'string' ? value : JSON.stringify(value)
          } catch (thrown) {
            if (isOn(config, 'returnNullOnError')) return 'null'
            throw thrown
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
    throw new Error(`This is not JSON: ${json.slice(0, 100)}`)
  }
}
