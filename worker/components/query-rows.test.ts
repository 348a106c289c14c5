// @defends model-question-csv
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#db/client.ts'
import { type LibsqlServer, startLibsqlServer } from '#db/local/server.ts'
import { drawChat, outputOf, runChat } from '../nodes/chatflow/testing/chat.ts'
import { scriptedModel, toldTo } from '../nodes/testing/steps.ts'
import { openTables } from './query-rows.ts'

let folder: string
let server: LibsqlServer
let db: Database

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-rows-'))
  server = await startLibsqlServer({ file: join(folder, 'test.db') })
  db = openDatabase(server.url, server.authToken)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const table = {
  columns: ['city', 'people', "o'dd; drop"],
  rows: [
    ['Bern', 134, 'a'],
    ['Basel', 178, null],
    ['Bonn', 330, 'b'],
  ],
}
const ask = (query: Parameters<ReturnType<typeof openTables>['query']>[1]) => openTables(db).query(table, query)

describe('a table that a run has read', () => {
  it('is filtered, sorted and limited by libSQL', async () => {
    const where = [{ column: 'people', is: 'above', value: 134 }]
    expect(
      await ask({ select: [{ column: 'city' }], where, orderBy: [{ column: 'people', descending: true }] }),
    ).toEqual([{ city: 'Bonn' }, { city: 'Basel' }])
    expect(await ask({ select: [{ column: 'city' }], limit: 1 })).toEqual([{ city: 'Bern' }])
    expect(
      await ask({ select: [{ column: 'city' }], where: [{ column: 'city', is: 'containing', value: 'BO' }] }),
    ).toEqual([{ city: 'Bonn' }])
    expect(
      await ask({ select: [{ column: 'city' }], where: [{ column: "o'dd; drop", is: 'equal', value: null }] }),
    ).toEqual([{ city: 'Basel' }])
  })

  it('is counted and measured by groups', async () => {
    expect(await ask({ select: [{ measure: 'count' }, { column: 'people', measure: 'sum' }] })).toEqual([
      { 'count of rows': 3, 'sum of people': 642 },
    ])
    const query = {
      select: [{ column: 'city' }, { measure: 'count' }],
      groupBy: ['city'],
      orderBy: [{ column: 'city' }],
    }
    expect(await ask(query)).toEqual(['Basel', 'Bern', 'Bonn'].map((city) => ({ city, 'count of rows': 1 })))
  })

  it.each([
    [{ select: [{ column: 'value from users --' }] }, 'There is no column'],
    [{ select: [] }, 'Select a column'],
    [{ select: Array(21).fill({ column: 'city' }) }, 'at most 20'],
  ])('refuses %j', async (query, message) => {
    await expect(ask(query)).rejects.toThrow(message)
  })

  it('keeps values out of the statement, whatever they say', async () => {
    const where = [{ column: 'city', is: 'equal', value: "x' or 1=1 --" }]
    expect(await ask({ select: [{ column: 'city' }], where })).toEqual([])
  })
})

describe('the CSV agent', () => {
  const csv = 'city;people\nBern;134\nBasel;178\n'
  const csvFile = `data:text/csv;base64,${btoa(csv)},filename:cities.csv`
  const flowOf = (inputs: Record<string, unknown>) =>
    drawChat({ scripted_0: {}, csvAgent_0: { inputs } }, ['scripted_0 > csvAgent_0.model'])

  it('answers from what the table says to its model', async () => {
    const query = { select: [{ column: 'people', measure: 'sum' }] }
    const model = scriptedModel({ calls: [['query_table', JSON.stringify(query)]] }, ['312 people'])
    const ended = await runChat(flowOf({ csvFile }), { models: model, tables: openTables(db), question: 'How many?' })
    expect([ended.error, ended.text]).toEqual([undefined, '312 people'])
    expect(toldTo(model)[0]).toContain('The table has 2 rows')
    expect(outputOf(ended).usedTools).toMatchObject([{ tool: 'query_table', toolOutput: '[{"sum of people":312}]' }])
  })

  it('tells its model about a query that the table does not take', async () => {
    const wrong = { calls: [['query_table', '{"select":[{"column":"secret"}]}']] as [string, string][] }
    const ended = await runChat(flowOf({ csvFile }), {
      models: scriptedModel(wrong, ['Sorry']),
      tables: openTables(db),
    })
    expect(ended.text).toBe('Sorry')
    expect(outputOf(ended).usedTools).toMatchObject([{ error: expect.stringContaining('select') }])
  })

  it('asks for a file', async () => {
    expect((await runChat(flowOf({}), { models: scriptedModel(['x']) })).error).toContain('choose a file for CSV file')
  })
})
