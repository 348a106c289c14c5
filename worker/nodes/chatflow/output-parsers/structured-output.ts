/** Parsers that want an object, by a schema. */

import { flagOf } from '../../../inputs/node-inputs.ts'
import { readStructured } from '../../../llm/structured-output.ts'
import type { OutputParserComponent } from '../component-types.ts'

/** Some models take no schema, so they are told it as well. */
export function structuredParser(
  schema: Record<string, unknown>,
  inputs: Record<string, unknown>,
): OutputParserComponent {
  return {
    instructions: `Answer only with one JSON object that matches this JSON Schema:\n${JSON.stringify(schema)}`,
    schema,
    parse(text) {
      const read = readStructured(text, schema)
      if ('problem' in read) throw new Error(`The answer does not match the format: ${read.problem}`)
      return read.value
    },
    retries: flagOf(inputs.autofixParser),
  }
}
