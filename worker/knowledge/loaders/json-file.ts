import { list } from '../../inputs/component-config.ts'
import { recordMetadata, storedFileLoader } from './stored-files.ts'

export const jsonFile = storedFileLoader({
  label: 'Json File',
  name: 'jsonFile',
  version: 3,
  description: 'Reads JSON files, one document for each item of a list',
  hint: 'Additional metadata that starts with a slash, as {"page": "/url"}, is taken from each item.',
  file: { label: 'Json File', name: 'jsonFile', fileType: '.json' },
  inputs: [
    {
      label: 'Pointers Extraction (separated by commas)',
      name: 'pointersName',
      type: 'string',
      description: 'Keys whose values become the text. Leave empty to read all of them.',
      placeholder: 'title, body/text',
      optional: true,
    },
  ],
  optionsOf: (config) => ({ keys: list(config, 'pointersName'), recordMetadata: recordMetadata(config) }),
})
