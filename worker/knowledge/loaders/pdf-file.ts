import { divisionOf, divisionParam, storedFileLoader } from './stored-files.ts'

export const pdfFile = storedFileLoader({
  label: 'Pdf File',
  name: 'pdfFile',
  version: 2,
  description: 'Reads PDF files page by page',
  hint: 'Scanned pages have no text: run OCR first.',
  file: { label: 'PDF file', name: 'pdfFile', fileType: '.pdf' },
  inputs: [{ ...divisionParam('page', 'perPage'), additionalParams: false }],
  optionsOf: divisionOf,
})
