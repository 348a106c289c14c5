/** Tells which kind of file a zip is by the parts in it, and reads that. */
import { UnreadableError } from '../types.ts'
import { readDocx } from './docx.ts'
import { readEpub } from './epub.ts'
import { readOpenDocument } from './opendocument.ts'
import { readPptx } from './pptx.ts'
import type { FileContent, FormatReader, OpenFile } from './types.ts'
import { readXlsx } from './xlsx.ts'
import { openZip, type Zip } from './zip.ts'

type ZipReader = (file: OpenFile, zip: Zip) => FileContent | Promise<FileContent>

/** One line per kind, by the part that only this kind has. */
const kinds: [part: string, read: ZipReader][] = [
  ['word/document.xml', readDocx],
  ['ppt/presentation.xml', readPptx],
  ['xl/workbook.xml', readXlsx],
  ['META-INF/container.xml', readEpub],
  ['content.xml', readOpenDocument],
]

export const readZip: FormatReader = (file) => {
  const zip = openZip(file)
  const read = kinds.find(([part]) => zip.has(part))?.[1]
  if (read) return read(file, zip)
  if (zip.has('xl/workbook.bin')) throw new UnreadableError('This is a binary workbook. Save it as XLSX.')
  throw new UnreadableError('This is an archive, or a kind of file that is not known. Unpack it and send its files.')
}
