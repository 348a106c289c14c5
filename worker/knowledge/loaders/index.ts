/** All loaders. */
import type { LoaderType } from '../types.ts'
import { apiLoader } from './api-loader.ts'
import { cheerioWebScraper } from './cheerio-web-scraper.ts'
import { confluence } from './confluence.ts'
import { csvFile } from './csv-file.ts'
import { docxFile } from './docx-file.ts'
import { epubFile } from './epub-file.ts'
import { fileLoader } from './file-loader.ts'
import { github } from './github.ts'
import { googleDrive } from './google-drive.ts'
import { jsonFile } from './json-file.ts'
import { jsonlinesFile } from './jsonlines-file.ts'
import { microsoftExcel } from './microsoft-excel.ts'
import { microsoftPowerpoint } from './microsoft-powerpoint.ts'
import { notionDB } from './notion-db.ts'
import { notionPage } from './notion-page.ts'
import { pdfFile } from './pdf-file.ts'
import { plainText } from './plain-text.ts'
import { s3Directory } from './s3-directory.ts'
import { s3File } from './s3-file.ts'
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
  github,
  notionPage,
  notionDB,
  confluence,
  googleDrive,
  s3Directory,
  s3File,
  apiLoader,
]
