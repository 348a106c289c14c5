import { storedFileLoader } from './stored-files.ts'

export const microsoftPowerpoint = storedFileLoader({
  label: 'Microsoft PowerPoint',
  name: 'microsoftPowerpoint',
  version: 1,
  description: 'Reads presentations slide by slide, with their notes',
  file: { label: 'PowerPoint file', name: 'powerpointFile', fileType: '.pptx' },
})
