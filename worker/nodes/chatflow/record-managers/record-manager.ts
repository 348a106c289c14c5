/** Record managers: what was upserted is known, so that nothing is written twice and what has gone is deleted. */
import { additionalParam } from '#contract/flow/params/builders.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { PartType } from '../../types.ts'
import { type Cleanup, partOf } from '../roles.ts'

const CLEANUPS: readonly { label: string; name: Cleanup; description: string }[] = [
  { label: 'None', name: 'none', description: 'Nothing is deleted' },
  {
    label: 'Incremental',
    name: 'incremental',
    description: 'Of the originals that were read again, what is no longer in them is deleted',
  },
  { label: 'Full', name: 'full', description: 'Everything that was not read again is deleted' },
]

const DEFAULT_SOURCE_KEY = 'source'

interface Manager {
  label: string
  name: string
  type: string
  /** The database of Flowise's node; not used here. */
  database: InputParam[]
}

export function recordManager({ label, name, type, database }: Manager): PartType {
  return {
    definition: {
      ...{ label, name, version: 1, type, category: 'Record Manager', baseClasses: [type, 'RecordManager'] },
      description: 'Knows what was upserted, so that nothing is written twice',
      hint: 'Its record is kept here, in Heddle’s own database. It begins empty: the first upsert writes everything.',
      inputs: [
        ...database.map((input) => ({ ...input, legacy: true, optional: true, additionalParams: true })),
        additionalParam('Namespace', 'namespace', {
          description: 'Documents of one namespace know nothing of those of another. Default: the vector store’s id',
        }),
        additionalParam('Cleanup', 'cleanup', {
          type: 'options',
          options: [...CLEANUPS],
          default: 'none',
          additionalParams: false,
        }),
        additionalParam('Source ID Key', 'sourceIdKey', {
          description: 'The metadata that says which original a document is from',
          default: DEFAULT_SOURCE_KEY,
          placeholder: DEFAULT_SOURCE_KEY,
        }),
      ],
    },
    provide: async ({ inputs }) =>
      partOf('records', {
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
  { label: 'Additional Connection Configuration', name: 'additionalConfig', type: 'json' },
  { label: 'Table Name', name: 'tableName', type: 'string' },
]
