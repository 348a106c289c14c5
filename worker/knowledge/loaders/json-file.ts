import { list } from '../../inputs/component-config.ts'
import { recordMetadata, storedFileLoader } from './stored-files.ts'

export const jsonFile = storedFileLoader({
  label: 'Json File',
  name: 'jsonFile',
  version: 3,
  description: 'Reads JSON files, one document per list item',
  hint: 'Additional metadata values that start with a slash, such as {"page": "/url"}, are read from each item.',
  file: { label: 'JSON file', name: 'jsonFile', fileType: '.json' },
  inputs: [
    {
      label: 'Pointers to extract',
      name: 'pointersName',
      type: 'string',
      description: 'Keys whose values become the text, separated by commas. Leave empty for all',
      placeholder: 'title, body/text',
      optional: true,
    },
  ],
  optionsOf: (config) => ({ keys: list(config, 'pointersName'), recordMetadata: recordMetadata(config) }),
})
