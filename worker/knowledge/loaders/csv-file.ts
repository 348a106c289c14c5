import { text } from '../../inputs/component-config.ts'
import { storedFileLoader } from './stored-files.ts'

export const csvFile = storedFileLoader({
  label: 'Csv File',
  name: 'csvFile',
  version: 3,
  description: 'Reads CSV files, one document per row',
  file: { label: 'CSV file', name: 'csvFile', fileType: '.csv, .tsv' },
  inputs: [
    {
      label: 'Column to extract',
      name: 'columnName',
      type: 'string',
      description: 'Column to read. Leave empty for all',
      placeholder: 'answer',
      optional: true,
    },
  ],
  optionsOf: (config) => ({ column: text(config, 'columnName') }),
})
