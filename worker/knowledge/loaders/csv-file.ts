import { text } from '../../inputs/component-config.ts'
import { storedFileLoader } from './stored-files.ts'

export const csvFile = storedFileLoader({
  label: 'Csv File',
  name: 'csvFile',
  version: 3,
  description: 'Reads tables of text, one document for each row',
  file: { label: 'Csv File', name: 'csvFile', fileType: '.csv, .tsv' },
  inputs: [
    {
      label: 'Single Column Extraction',
      name: 'columnName',
      type: 'string',
      description: 'Reads this column only. Leave empty to read all of them.',
      placeholder: 'answer',
      optional: true,
    },
  ],
  optionsOf: (config) => ({ column: text(config, 'columnName') }),
})
