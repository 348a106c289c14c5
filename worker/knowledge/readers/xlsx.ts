/** Reads workbooks sheet by sheet: one document for each row, with the names of its columns. */
import { UnreadableError } from '../types.ts'
import { collectDocuments, type DocumentCollector, tooMuchText } from './limits.ts'
import { TableRows } from './table-rows.ts'
import type { FileContent, OpenFile } from './types.ts'
import { type Attributes, attributeOf, readRelations, scanXml } from './xml-parts.ts'
import type { Zip } from './zip.ts'

/** Different texts of all sheets together. */
const MAX_STRINGS = 1_000_000

const WORKBOOK = 'xl/workbook.xml'

export function readXlsx(file: OpenFile, zip: Zip): FileContent {
  const gathering = collectDocuments(file)
  const { sheets, startsIn1904 } = readWorkbook(zip)
  if (sheets.length > file.limits.pages)
    throw new UnreadableError(`This workbook has more than ${file.limits.pages} sheets. Divide it.`)
  const cellText = cellReader(sharedStrings(zip, file.limits.chars), { dates: dateStyles(zip), startsIn1904 })
  for (const sheet of sheets) readSheet(zip, sheet, { gathering, cellText })
  return { documents: gathering.documents, pages: sheets.length }
}

interface Sheet {
  name: string
  part: string
}

function readWorkbook(zip: Zip): { sheets: Sheet[]; startsIn1904: boolean } {
  const relations = readRelations(zip, WORKBOOK)
  const sheets: Sheet[] = []
  let startsIn1904 = false
  scanXml(zip, WORKBOOK, {
    open(element, attributes) {
      if (element === 'workbookPr') startsIn1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
      const part = element === 'sheet' ? relations.get(attributes['r:id'] ?? '')?.target : undefined
      if (part && zip.has(part)) sheets.push({ name: attributes.name ?? '', part })
    },
  })
  return { sheets, startsIn1904 }
}

/** Returns the texts that cells name by number. */
function sharedStrings(zip: Zip, maxChars: number): string[] {
  const strings: string[] = []
  const part = 'xl/sharedStrings.xml'
  if (!zip.has(part)) return strings
  let text = ''
  let chars = 0
  let isText = false
  scanXml(zip, part, {
    open(name) {
      if (name === 'si') text = ''
      isText = name === 't'
    },
    text(data) {
      if (!isText) return
      chars += data.length
      if (chars > maxChars) throw new UnreadableError(tooMuchText(maxChars))
      text += data
    },
    close(name) {
      isText = false
      // Cells name a text as often as they like, and each would trim it.
      if (name === 'si') strings.push(text.trim())
      if (strings.length > MAX_STRINGS) throw new UnreadableError('This workbook has too many texts. Divide it.')
    },
  })
  return strings
}

/** Built-in number formats of dates and times. */
const isDateFormat = (id: number) => (id >= 14 && id <= 22) || (id >= 45 && id <= 47)

/** Returns for each style of a cell whether it shows a date. */
function dateStyles(zip: Zip): boolean[] {
  const styles: boolean[] = []
  if (!zip.has('xl/styles.xml')) return styles
  const own = new Map<number, boolean>()
  let isCellStyle = false
  scanXml(zip, 'xl/styles.xml', {
    open(name, attributes) {
      const format = Number(attributes.numFmtId)
      if (name === 'numFmt') own.set(format, showsDate(attributes.formatCode ?? ''))
      if (name === 'cellXfs') isCellStyle = true
      if (name === 'xf' && isCellStyle) styles.push(own.get(format) ?? isDateFormat(format))
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false
    },
  })
  return styles
}

/** Letters of days, months, years and hours outside quotes and brackets. */
const showsDate = (format: string) =>
  /[dmyh]/i.test(format.slice(0, 200).replace(/"[^"]{0,200}"|\[[^\]]{0,200}\]/g, ''))

interface Cell {
  type: string
  style: number
  value: string
}

function cellReader(strings: string[], { dates, startsIn1904 }: { dates: boolean[]; startsIn1904: boolean }) {
  return ({ type, style, value }: Cell): string => {
    if (type === 's') return strings[Number(value)] ?? ''
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    const isNumber = type === 'n' && value !== ''
    return isNumber && dates[style] ? dateText(Number(value), startsIn1904) : value
  }
}

const DAY_MS = 86_400_000

/** Returns the date of a serial number: days since the end of 1899, or since 1904. */
function dateText(serial: number, startsIn1904: boolean): string {
  const start = Date.UTC(1899, 11, 30) + (startsIn1904 ? 1462 * DAY_MS : 0)
  const date = new Date(start + Math.round(serial * 86_400) * 1000)
  if (!Number.isFinite(serial) || Number.isNaN(date.getTime())) return String(serial)
  const [day = '', time = ''] = date.toISOString().split('T')
  const clock = time.slice(0, 5)
  return serial < 1 ? clock : clock === '00:00' ? day : `${day} ${clock}`
}

interface SheetReading {
  gathering: DocumentCollector
  cellText: (cell: Cell) => string
}

function readSheet(zip: Zip, { name: sheet, part }: Sheet, { gathering, cellText }: SheetReading): void {
  const rows = new TableRows(gathering, { sheet })
  let cell: Cell = { type: 'n', style: 0, value: '' }
  let column = -1
  let isValue = false
  scanXml(zip, part, {
    open(name, attributes) {
      if (name === 'row') column = -1
      if (name === 'c') {
        column = columnOf(attributes) ?? column + 1
        const type = attributeOf(attributes, 't') ?? 'n'
        cell = { type, style: Number(attributeOf(attributes, 's') ?? 0), value: '' }
      }
      isValue = name === 'v' || name === 't'
    },
    text(data) {
      if (isValue) cell.value += data
    },
    close(name) {
      isValue = false
      if (name === 'c') rows.addCell(column, cellText(cell))
      if (name === 'row') rows.endRow()
    },
  })
  rows.endSheet()
}

/** Returns the column of a reference: 0 for `A7`. */
function columnOf({ r: reference = '' }: Attributes): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(reference) ?? []
  if (!letters) return undefined
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
