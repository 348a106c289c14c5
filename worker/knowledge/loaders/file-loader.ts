/** Any file whose format is known. */
import { additionalParam } from '#contract/flow/params/builders.ts'
import { text } from '../../inputs/component-config.ts'
import { divisionOf, divisionParam, storedFileLoader } from './stored-files.ts'

export const fileLoader = storedFileLoader({
  label: 'File Loader',
  name: 'fileLoader',
  version: 2,
  description: 'Reads files of any known format: PDF, Office, OpenDocument, EPUB, HTML, Markdown, CSV, JSON and text',
  file: { label: 'File', name: 'file', fileType: '*' },
  inputs: [
    { ...divisionParam('page', 'perPage'), label: 'Pdf Usage', description: 'Only for PDF and EPUB files' },
    additionalParam('JSONL Pointer Extraction', 'pointerName', {
      description: 'Only for JSON Lines files: the key whose value is the text',
      placeholder: 'content',
    }),
  ],
  optionsOf: (config) => ({ ...divisionOf(config), lineKey: text(config, 'pointerName') }),
})
