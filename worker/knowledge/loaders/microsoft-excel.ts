import { storedFileLoader } from './stored-files.ts'

export const microsoftExcel = storedFileLoader({
  label: 'Microsoft Excel',
  name: 'microsoftExcel',
  version: 1,
  description: 'Reads workbooks sheet by sheet, one document for each row',
  file: { label: 'Excel File', name: 'excelFile', fileType: '.xlsx, .xlsm' },
})
