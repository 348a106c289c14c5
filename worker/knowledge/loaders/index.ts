/** All loaders. */
import type { LoaderType } from '../types.ts'
import { cheerioWebScraper } from './cheerio-web-scraper.ts'
import { csvFile } from './csv-file.ts'
import { docxFile } from './docx-file.ts'
import { epubFile } from './epub-file.ts'
import { fileLoader } from './file-loader.ts'
import { jsonFile } from './json-file.ts'
import { jsonlinesFile } from './jsonlines-file.ts'
import { microsoftExcel } from './microsoft-excel.ts'
import { microsoftPowerpoint } from './microsoft-powerpoint.ts'
import { pdfFile } from './pdf-file.ts'
import { plainText } from './plain-text.ts'
import { textFile } from './text-file.ts'

export const loaders: LoaderType[] = [
  fileLoader,
  pdfFile,
  docxFile,
  microsoftExcel,
  microsoftPowerpoint,
  epubFile,
  textFile,
  csvFile,
  jsonFile,
  jsonlinesFile,
  plainText,
  cheerioWebScraper,
]
