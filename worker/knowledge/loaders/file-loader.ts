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
    { ...divisionParam('page', 'perPage'), label: 'PDF usage', description: 'For PDF and EPUB files' },
    additionalParam('JSON Lines pointer to extract', 'pointerName', {
      description: 'For JSON Lines files: the key that holds the text',
      placeholder: 'content',
    }),
  ],
  optionsOf: (config) => ({ ...divisionOf(config), lineKey: text(config, 'pointerName') }),
})
