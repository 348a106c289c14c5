import { divisionOf, divisionParam, storedFileLoader } from './stored-files.ts'

export const epubFile = storedFileLoader({
  label: 'Epub File',
  name: 'epubFile',
  version: 1,
  description: 'Reads books chapter by chapter',
  file: { label: 'EPUB file', name: 'epubFile', fileType: '.epub' },
  inputs: [{ ...divisionParam('chapter', 'perChapter'), additionalParams: false }],
  optionsOf: divisionOf,
})
