import { storedFileLoader } from './stored-files.ts'

export const microsoftExcel = storedFileLoader({
  label: 'Microsoft Excel',
  name: 'microsoftExcel',
  version: 1,
  description: 'Reads workbooks sheet by sheet, one document per row',
  file: { label: 'Excel file', name: 'excelFile', fileType: '.xlsx, .xlsm' },
})
