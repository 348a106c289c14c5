import { text } from '../../inputs/component-config.ts'
import { recordMetadata, storedFileLoader } from './stored-files.ts'

export const jsonlinesFile = storedFileLoader({
  label: 'Json Lines File',
  name: 'jsonlinesFile',
  version: 3,
  description: 'Reads JSON Lines files, one document for each line',
  hint: 'Additional metadata that starts with a slash, as {"page": "/url"}, is taken from each line.',
  file: { label: 'Jsonlines File', name: 'jsonlinesFile', fileType: '.jsonl, .ndjson' },
  inputs: [
    {
      label: 'Pointer Extraction',
      name: 'pointerName',
      type: 'string',
      description: 'The key whose value becomes the text. Leave empty to read all of them.',
      placeholder: 'content',
      optional: true,
    },
  ],
  optionsOf: (config) => ({ lineKey: text(config, 'pointerName'), recordMetadata: recordMetadata(config) }),
})
