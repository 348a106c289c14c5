import { storedFileLoader } from './stored-files.ts'

export const docxFile = storedFileLoader({
  label: 'Docx File',
  name: 'docxFile',
  version: 1,
  description: 'Reads Word files as Markdown',
  file: { label: 'DOCX file', name: 'docxFile', fileType: '.docx' },
})
