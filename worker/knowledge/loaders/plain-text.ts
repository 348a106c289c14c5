/** A text that a person typed. */
import { text } from '../../inputs/component-config.ts'
import type { LoaderType } from '../types.ts'
import { computeHash } from './hash.ts'
import { adjustMetadata, metadataParams } from './metadata.ts'
import { loaderDefinition } from './stored-files.ts'

const KEY = 'text'

export const plainText: LoaderType = {
  definition: loaderDefinition('Text', {
    label: 'Plain Text',
    name: 'plainText',
    version: 2,
    description: 'Uses text that you enter',
    inputs: [
      { label: 'Text', name: 'text', type: 'string', rows: 8, placeholder: 'Opening hours: 9 to 5 …' },
      ...metadataParams,
    ],
  }),
  list: async () => ({ items: [{ key: KEY, name: 'Plain text' }] }),
  async read({ config }) {
    const written = text(config, 'text')
    if (written === undefined) return undefined
    const metadata = adjustMetadata({ source: 'Plain text' }, config)
    return { documents: [{ text: written, format: 'text', metadata }], pages: 1, hash: await computeHash(written) }
  },
  describeSource: (config) => (text(config, 'text') ?? '').slice(0, 80),
}
