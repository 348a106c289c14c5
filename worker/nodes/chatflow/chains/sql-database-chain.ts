import { isRecord, parseFencedJson } from '#contract/data/json.ts'
import { errorMessage } from '#contract/errors.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import { addUsage } from '#contract/runs/usage.ts'
import { callWithMetadata } from '../../../llm/structured-call.ts'
import { list } from '../../../models/config.ts'
import { numberOf, textOf } from '../../shared/inputs.ts'
import type { ChatNodeType, StepContext, StepResult } from '../../types.ts'
import { chainNode, languageModelAnchor, moderationAnchor } from '../definition.ts'
import { fill } from '../prompts/template.ts'
import { neededPart } from '../roles.ts'
import { askModel, chainResult, moderated } from './chain-answer.ts'
import { type LibsqlDatabase, openLibsql, type Row, readingStatement } from './libsql-database.ts'

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
    description: 'Answers from a database, with a SELECT statement that a model writes',
    hint: 'Reads libSQL databases over HTTP. Databases that speak a protocol of their own over TCP cannot be reached from the edge.',
    inputs: [
      languageModelAnchor,
      {
        label: 'Database',
        name: 'database',
        type: 'options',
        options: [
          { label: 'SQLite (libSQL over HTTP)', name: 'sqlite' },
          { label: 'PostgreSQL', name: 'postgres', unsupported: true },
          { label: 'MSSQL', name: 'mssql', unsupported: true },
          { label: 'MySQL', name: 'mysql', unsupported: true },
        ],
        default: 'sqlite',
      },
      {
        label: 'Connection string or file path (sqlite only)',
        name: 'url',
        type: 'string',
        placeholder: 'libsql://my-database.turso.io?authToken=…',
      },
      additionalParam('Include Tables', 'includesTables', { description: 'Separated by commas. Empty: all.' }),
      additionalParam('Ignore Tables', 'ignoreTables', { description: 'Separated by commas' }),
      additionalParam("Sample table's rows info", 'sampleRowsInTableInfo', {
        type: 'number',
        step: 1,
        description: 'How many rows of each table the model sees',
      }),
      additionalParam('Top Keys', 'topK', { type: 'number', step: 1, description: 'How many rows are asked for' }),
      additionalParam('Custom Prompt', 'customPrompt', {
        rows: 4,
        description: 'How the statement is asked for, with {input}, {dialect}, {table_info} and {top_k}',
      }),
      moderationAnchor,
    ],
  }),
  run: (context) => moderated(context, () => run(context)),
}

async function run(context: StepContext): Promise<StepResult> {
  const { inputs, input, clock } = context
  const started = clock.now()
  const model = await neededPart(context, 'model', 'model', 'a model to Language Model')
  if (textOf(inputs.database) !== 'sqlite' && textOf(inputs.database) !== '')
    throw new Error('Only libSQL databases over HTTP can be reached. Choose SQLite.')
  const database = openLibsql(textOf(inputs.url), context)
  const topK = Math.min(numberOf(inputs.topK, 10), MAX_ROWS)
  const values = {
    input: input.text,
    dialect: 'SQLite',
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
    { read: readStatement, failure: 'The model wrote no statement that can be run' },
    context,
  )
  const rows = (await database.query(written.value)).slice(0, MAX_ROWS)
  const turns = [{ role: 'user' as const, content: answerPrompt(input.text, written.value, rows) }]
  const answer = await askModel({ model, turns }, context)
  const usage = addUsage(written.usage, answer.usage)
  return chainResult({ ...answer, usage }, { model, turns, started }, context, { sql: written.value })
}

const answerPrompt = (question: string, sql: string, rows: readonly Row[]) =>
  `A question was asked: ${question}\n\nThis statement was run:\n${sql}\n\nIts rows, as JSON:\n${JSON.stringify(rows)}\n\nAnswer the question from them, in its language.`

function readStatement(text: string): { value: string } | { problem: string } {
  const value = parseFencedJson(text)
  const written = isRecord(value) ? textOf(value.sql) : text
  try {
    return { value: readingStatement(written) }
  } catch (error) {
    return { problem: errorMessage(error) }
  }
}

/** Returns the CREATE statements of the tables, with some of their rows. */
async function describeTables(database: LibsqlDatabase, inputs: Record<string, unknown>): Promise<string> {
  const [included, ignored] = [list(inputs, 'includesTables'), list(inputs, 'ignoreTables') ?? []]
  const all = await database.query(
    "select name, sql from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%' order by name",
  )
  const tables = all.filter(({ name }) => {
    const named = textOf(name)
    return (!included || included.includes(named)) && !ignored.includes(named)
  })
  if (tables.length === 0) throw new Error('The database has none of these tables')
  const samples = Math.min(numberOf(inputs.sampleRowsInTableInfo, 0), 10)
  const parts = tables.slice(0, MAX_TABLES).map(async ({ name, sql }) => {
    if (samples === 0) return textOf(sql)
    const rows = await database.query(`select * from "${textOf(name).replaceAll('"', '""')}" limit ${samples}`)
    return `${textOf(sql)}\nRows: ${JSON.stringify(rows)}`
  })
  return (await Promise.all(parts)).join('\n\n')
}
