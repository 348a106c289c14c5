/** Record managers: what was upserted is known, so that nothing is written twice and what has gone is deleted. */
import { additionalParam } from '#contract/flow/params/builders.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType } from '../../types.ts'
import { type Cleanup, toComponent } from '../component-types.ts'

const CLEANUPS: readonly { label: string; name: Cleanup; description: string }[] = [
  { label: 'None', name: 'none', description: 'Deletes nothing' },
  {
    label: 'Incremental',
    name: 'incremental',
    description: 'Deletes outdated chunks of the sources that were read again',
  },
  { label: 'Full', name: 'full', description: 'Deletes everything that was not read again' },
]

const DEFAULT_SOURCE_KEY = 'source'

interface Manager {
  label: string
  name: string
  type: string
  /** The database of Flowise's node; not used here. */
  database: InputParam[]
}

export function recordManager({ label, name, type, database }: Manager): ComponentNodeType {
  return {
    definition: {
      ...{ label, name, version: 1, type, category: 'Record Manager', baseClasses: [type, 'RecordManager'] },
      description: 'Tracks upserted documents to avoid duplicates',
      hint: 'Records are stored in Heddle’s own database. It starts empty, so the first upsert writes everything.',
      inputs: [
        ...database.map((input) => ({ ...input, legacy: true, optional: true, additionalParams: true })),
        additionalParam('Namespace', 'namespace', {
          description: 'Separates documents that share a table. Defaults to the vector store’s ID',
        }),
        additionalParam('Cleanup', 'cleanup', {
          type: 'options',
          options: [...CLEANUPS],
          default: 'none',
          additionalParams: false,
        }),
        additionalParam('Source ID key', 'sourceIdKey', {
          description: 'Metadata key that identifies the source',
          default: DEFAULT_SOURCE_KEY,
          placeholder: DEFAULT_SOURCE_KEY,
        }),
      ],
    },
    provide: async ({ inputs }) =>
      toComponent('records', {
        namespace: textOf(inputs.namespace).trim(),
        cleanup: CLEANUPS.find(({ name }) => name === inputs.cleanup)?.name ?? 'none',
        sourceKey: textOf(inputs.sourceIdKey).trim() || DEFAULT_SOURCE_KEY,
      }),
  }
}

export const DATABASE_SERVER: InputParam[] = [
  { label: 'Host', name: 'host', type: 'string' },
  { label: 'Database', name: 'database', type: 'string' },
  { label: 'Port', name: 'port', type: 'number' },
  { label: 'Additional connection configuration', name: 'additionalConfig', type: 'json' },
  { label: 'Table name', name: 'tableName', type: 'string' },
]
