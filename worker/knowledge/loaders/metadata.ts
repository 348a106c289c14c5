/** The two inputs of every loader that change the metadata of its documents. */
import { isRecord } from '#contract/data/json.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { json, list } from '../../inputs/component-config.ts'

export const metadataParams: InputParam[] = [
  additionalParam('Additional metadata', 'metadata', {
    type: 'json',
    description: 'Added to each document, as a JSON object',
  }),
  additionalParam('Omit metadata keys', 'omitMetadataKeys', {
    rows: 4,
    description: 'Keys to omit, separated by commas. * omits everything except the additional metadata',
    placeholder: 'key1, key2, key3.nestedKey1',
  }),
]

/**
 * Returns the metadata with what a person added, without what they left out.
 * @param said keys whose values the document has said itself @throws ConfigError
 */
export function adjustMetadata(
  own: Record<string, unknown>,
  config: Record<string, unknown>,
  said: string[] = [],
): Record<string, unknown> {
  const added = said.reduce((kept, key) => without(kept, [key]), json(config, 'metadata') ?? {})
  const omitted = list(config, 'omitMetadataKeys') ?? []
  if (omitted.includes('*')) return { ...added }
  return omitted.reduce<Record<string, unknown>>((kept, path) => without(kept, path.split('.')), { ...own, ...added })
}

function without(record: Record<string, unknown>, [key = '', ...rest]: string[]): Record<string, unknown> {
  const { [key]: value, ...others } = record
  if (rest.length === 0) return others
  return isRecord(value) ? { ...record, [key]: without(value, rest) } : record
}
