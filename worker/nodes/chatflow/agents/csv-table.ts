/** A CSV file as a table that a model can ask. */
import { isRecord } from '#contract/data/json.ts'
import type { StoredFile } from '../../../knowledge/types.ts'
import type { RowsQuery, Tables } from '../../../ports/types.ts'
import type { CallableTool } from '../../../tools/types.ts'

const MAX_CELLS = 400_000
const MAX_BYTES = 4_000_000

interface Table {
  columns: string[]
  rows: (string | number | null)[][]
}

/** Columns of numbers only become numbers, so that they can be compared and added up. @throws Error that says what to do */
export async function readTable(file: StoredFile): Promise<Table> {
  if (file.size > MAX_BYTES)
    throw new Error(`${file.name} is larger than ${MAX_BYTES / 1_000_000} MB. Leave rows or columns out.`)
  const { parseTable } = await import('../../../knowledge/readers/csv.ts')
  const [header = [], ...cells] = parseTable({ bytes: await readBytes(file), limits: { chars: MAX_BYTES } })
  const columns = header.map((name, at) => name.trim() || `column ${at + 1}`)
  if (cells.length * columns.length > MAX_CELLS)
    throw new Error(`${file.name} has more than ${MAX_CELLS} cells. Leave rows or columns out.`)
  const isNumeric = columns.map((_, at) => cells.every((row) => isEmpty(row[at]) || NUMBER.test(row[at]?.trim() ?? '')))
  return {
    columns,
    rows: cells.map((row) =>
      columns.map((_, at) => {
        const cell = row[at]
        if (isEmpty(cell)) return null
        return isNumeric[at] ? Number(cell) : (cell as string)
      }),
    ),
  }
}

async function readBytes(file: StoredFile): Promise<Uint8Array> {
  const bytes = await file.read()
  if (!bytes) throw new Error(`The file ${file.name} is no longer there. Choose it again.`)
  return bytes
}

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/
const isEmpty = (cell: string | undefined) => cell === undefined || cell.trim() === ''

const MEASURES = ['count', 'distinct', 'sum', 'average', 'min', 'max']
const CONDITIONS = ['equal', 'not', 'above', 'below', 'at least', 'at most', 'containing']

/** Returns the tool with which a model asks the table. It can only read. */
export function tableTool({ columns, rows }: Table, tables: Tables): CallableTool {
  const column = { type: 'string', enum: columns }
  const shown = {
    type: 'object',
    properties: { column, measure: { type: 'string', enum: MEASURES } },
    additionalProperties: false,
  }
  const held = {
    type: 'object',
    properties: { column, is: { type: 'string', enum: CONDITIONS }, value: { type: ['string', 'number', 'null'] } },
    required: ['column', 'is'],
    additionalProperties: false,
  }
  const sorted = { ...shown, properties: { ...shown.properties, descending: { type: 'boolean' } } }
  return {
    name: 'query_table',
    description: `Reads rows of the table, or measures them. At most 200 rows come back.`,
    parameters: {
      type: 'object',
      properties: {
        select: { type: 'array', items: shown, description: 'What each row shows. `count` needs no column.' },
        where: { type: 'array', items: held, description: 'All of these must hold' },
        groupBy: { type: 'array', items: column },
        orderBy: { type: 'array', items: sorted },
        limit: { type: 'integer' },
      },
      required: ['select'],
      additionalProperties: false,
    },
    hasEffect: false,
    call: async (args) => JSON.stringify(await tables.query({ columns, rows }, queryOf(args))),
  }
}

/** The arguments were checked by the schema. */
const queryOf = (args: unknown): RowsQuery => (isRecord(args) ? (args as unknown as RowsQuery) : { select: [] })

/** Returns what a model needs to know to ask. */
export function describeTable({ columns, rows }: Table): string {
  const first = rows.slice(0, 3).map((row) => JSON.stringify(row).slice(0, 2000))
  return `The table has ${rows.length} rows and these columns: ${JSON.stringify(columns)}\nIts first rows:\n${first.join('\n')}`
}
