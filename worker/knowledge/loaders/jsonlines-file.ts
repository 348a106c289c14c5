import { text } from '../../inputs/component-config.ts'
import { recordMetadata, storedFileLoader } from './stored-files.ts'

export const jsonlinesFile = storedFileLoader({
  label: 'Json Lines File',
  name: 'jsonlinesFile',
  version: 3,
  description: 'Reads JSON Lines files, one document per line',
  hint: 'Additional metadata values that start with a slash, such as {"page": "/url"}, are read from each line.',
  file: { label: 'JSON Lines file', name: 'jsonlinesFile', fileType: '.jsonl, .ndjson' },
  inputs: [
    {
      label: 'Pointer to extract',
      name: 'pointerName',
      type: 'string',
      description: 'Key whose value becomes the text. Leave empty for all',
      placeholder: 'content',
      optional: true,
    },
  ],
  optionsOf: (config) => ({ lineKey: text(config, 'pointerName'), recordMetadata: recordMetadata(config) }),
})
