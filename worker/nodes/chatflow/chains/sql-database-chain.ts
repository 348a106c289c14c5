import { isRecord, parseFencedJson } from '#contract/data/json.ts'
import { errorMessage } from '#contract/errors.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import { addUsage } from '#contract/runs/usage.ts'
import { list } from '../../../inputs/component-config.ts'
import { numberOf, textOf } from '../../../inputs/node-inputs.ts'
import { callWithMetadata } from '../../../llm/structured-call.ts'
import type { ChatNodeType, StepContext, StepResult } from '../../types.ts'
import { requireComponent } from '../component-types.ts'
import { chainNode, languageModelAnchor, moderationAnchor } from '../definition.ts'
import { fill } from '../prompts/template.ts'
import { askModel, chainResult, moderated } from './chain-answer.ts'
import { openLibsql } from './libsql-database.ts'
import { openMysql } from './mysql-database.ts'
import { openPostgres } from './postgres-database.ts'
import type { Outside, Row, SqlDatabase } from './sql-database.ts'

const MAX_TABLES = 50
const MAX_ROWS = 100
const PROMPT =
  'Write one SELECT statement of {dialect} that answers the question. Use only these tables and columns:\n{table_info}\n\nAsk for at most {top_k} rows.\n\nQuestion: {input}'

export const sqlDatabaseChain: ChatNodeType = {
  definition: chainNode({
    label: 'SQL Database Chain',
    name: 'sqlDatabaseChain',
    version: 5,
    type: 'SqlDatabaseChain',
    description: 'Answers questions with SELECT statements that a model writes',
    hint: 'Works with databases over HTTP: libSQL, PostgreSQL on Neon and MySQL on PlanetScale. Use a read-only database user.',
    inputs: [
      languageModelAnchor,
      {
        label: 'Database',
        name: 'database',
        type: 'options',
        options: [
          { label: 'SQLite (libSQL over HTTP)', name: 'sqlite' },
          { label: 'PostgreSQL (Neon)', name: 'postgres' },
          { label: 'MSSQL', name: 'mssql', unsupported: true },
          { label: 'MySQL (PlanetScale)', name: 'mysql' },
        ],
        default: 'sqlite',
      },
      {
        label: 'Connection string',
        name: 'url',
        type: 'string',
        placeholder: 'libsql://my-database.turso.io?authToken=…',
      },
      additionalParam('Include tables', 'includesTables', { description: 'Separated by commas. Leave empty for all' }),
      additionalParam('Ignore tables', 'ignoreTables', { description: 'Separated by commas' }),
      additionalParam('Sample rows per table', 'sampleRowsInTableInfo', {
        type: 'number',
        step: 1,
        description: 'Number of rows per table that the model sees',
      }),
      additionalParam('Row limit', 'topK', { type: 'number', step: 1, description: 'Maximum number of rows to read' }),
      additionalParam('Custom prompt', 'customPrompt', {
        rows: 4,
        description: 'Prompt that writes the statement. Variables: {input}, {dialect}, {table_info}, {top_k}',
      }),
      moderationAnchor,
    ],
  }),
  run: (context) => moderated(context, () => run(context)),
}

async function run(context: StepContext): Promise<StepResult> {
  const { inputs, input, clock } = context
  const started = clock.now()
  const model = await requireComponent(context, 'model', 'model', 'a model to Language model')
  const database = openDatabase(inputs, context)
  const topK = Math.min(numberOf(inputs.topK, 10), MAX_ROWS)
  const values = {
    input: input.text,
    dialect: database.dialect,
    table_info: await describeTables(database, inputs),
    top_k: String(topK),
  }
  const told = fill(textOf(inputs.customPrompt) || PROMPT, values)
  const schema = {
    type: 'object',
    properties: { sql: { type: 'string' } },
    required: ['sql'],
    additionalProperties: false,
  }
  const content = `${told}\n\nReply only with one JSON object that matches this JSON Schema:\n${JSON.stringify(schema)}`
  const written = await callWithMetadata(
    { open: model.open, messages: [{ role: 'user', content }], schema },
    { read: (text) => readStatement(text, database), failure: 'The model wrote no statement that can be run' },
    context,
  )
  const rows = (await database.query(written.value)).slice(0, MAX_ROWS)
  const turns = [{ role: 'user' as const, content: answerPrompt(input.text, written.value, rows) }]
  const answer = await askModel({ model, turns }, context)
  const usage = addUsage(written.usage, answer.usage)
  return chainResult({ ...answer, usage }, { model, turns, started }, context, { sql: written.value })
}

function openDatabase({ database, url }: Record<string, unknown>, outside: Outside): SqlDatabase {
  const open = { '': openLibsql, sqlite: openLibsql, postgres: openPostgres, mysql: openMysql }[textOf(database)]
  if (!open) throw new Error('This database cannot be reached over HTTP. Choose SQLite, PostgreSQL or MySQL.')
  return open(textOf(url), outside)
}

const answerPrompt = (question: string, sql: string, rows: readonly Row[]) =>
  `A question was asked: ${question}\n\nThis statement was run:\n${sql}\n\nIts rows, as JSON:\n${JSON.stringify(rows)}\n\nAnswer the question from them, in its language.`

function readStatement(text: string, database: SqlDatabase): { value: string } | { problem: string } {
  const value = parseFencedJson(text)
  const written = isRecord(value) ? textOf(value.sql) : text
  const statement = written.trim().replace(/;$/, '').trim()
  try {
    database.assertReads(statement)
    return { value: statement }
  } catch (error) {
    return { problem: errorMessage(error) }
  }
}

/** Returns the definitions of the tables, with some of their rows. */
async function describeTables(database: SqlDatabase, inputs: Record<string, unknown>): Promise<string> {
  const [included, ignored] = [list(inputs, 'includesTables'), list(inputs, 'ignoreTables') ?? []]
  const tables = (await database.tables()).filter(
    ({ name }) => (!included || included.includes(name)) && !ignored.includes(name),
  )
  if (tables.length === 0) throw new Error('The database has none of these tables')
  const samples = Math.min(numberOf(inputs.sampleRowsInTableInfo, 0), 10)
  const parts = tables.slice(0, MAX_TABLES).map(async ({ name, definition }) => {
    if (samples === 0) return definition
    const rows = await database.query(`select * from ${database.quoted(name)} limit ${samples}`)
    return `${definition}\nRows: ${JSON.stringify(rows)}`
  })
  return (await Promise.all(parts)).join('\n\n')
}
