import { describe, expect, it } from 'vitest'
import type { Egress } from '../../../ports/types.ts'
import { scriptedModel, toldTo } from '../../testing/steps.ts'
import { drawChat, outputOf, runChat } from '../testing/chat.ts'
import { openLibsql } from './libsql-database.ts'
import { openMysql } from './mysql-database.ts'
import { openPostgres } from './postgres-database.ts'

/** Answers each request with what `reply` returns for it, and keeps the requests. */
function outside(reply: (request: { url: string; body: string }) => unknown) {
  const sent: { method: string; url: string; body: string; headers: Headers }[] = []
  const egress: Egress = {
    async fetch(input, init) {
      const request = new Request(input, init)
      const body = await request.text()
      sent.push({ method: request.method, url: request.url, body, headers: request.headers })
      return new Response(JSON.stringify(reply({ url: request.url, body })))
    },
  }
  return { egress, sent, signal: new AbortController().signal }
}

const apiDocs = 'GET https://api.example.com/weather?city= gives {"degrees": number}'

describe.each([
  ['getApiChain', '{"url":"https://api.example.com/weather?city=Bonn"}', 'GET', ''],
  [
    'postApiChain',
    '{"url":"https://api.example.com/weather","body":"{\\"city\\":\\"Bonn\\"}"}',
    'POST',
    '{"city":"Bonn"}',
  ],
])('%s', (chain, written, method, body) => {
  const flow = drawChat({ scripted_0: {}, [`${chain}_0`]: { inputs: { apiDocs, headers: '{"X-Key":"k"}' } } }, [
    `scripted_0 > ${chain}_0.model`,
  ])

  it('sends the request that the model writes, and answers from the response', async () => {
    const { egress, sent } = outside(() => ({ degrees: 21 }))
    const model = scriptedModel([written], ['21 degrees'])
    const ended = await runChat(flow, { models: model, egress, question: 'How warm is Bonn?' })
    expect([ended.error, ended.text, ended.tokens]).toEqual([undefined, '21 degrees', '21 degrees'])
    expect(sent[0]).toMatchObject({ method, body })
    expect(sent[0]?.headers.get('x-key')).toBe('k')
    expect(toldTo(model, 1)[0]).toContain('degrees')
    expect(outputOf(ended)).toMatchObject({ usageMetadata: { total_tokens: 24 } })
  })

  it('never asks a host that the documentation does not name', async () => {
    const { egress, sent } = outside(() => ({}))
    const away = written.replace('api.example.com', 'evil.example.net')
    const ended = await runChat(flow, { models: scriptedModel([away]), egress })
    expect(ended.error).toContain('does not name the host evil.example.net')
    expect(sent).toEqual([])
  })
})

const POSTGRES = 'postgresql://ann:secret@ep-loom.example.tech:5432/shop?sslmode=require'
const MYSQL = 'mysql://ann:p%40ss@loom.example.cloud:3306/shop'

describe('sqlDatabaseChain', () => {
  const nowhere = outside(() => ({}))
  const databases = [
    openLibsql('libsql://db.example.com', nowhere),
    openPostgres(POSTGRES, nowhere),
    openMysql(MYSQL, nowhere),
  ]
  const flow = drawChat(
    {
      scripted_0: {},
      sqlDatabaseChain_0: { inputs: { url: 'libsql://db.example.com?authToken=t', ignoreTables: 'secrets' } },
    },
    ['scripted_0 > sqlDatabaseChain_0.model'],
  )
  const result = (names: string[], rows: unknown[][]) => ({
    results: [
      {
        type: 'ok',
        response: {
          result: {
            cols: names.map((name) => ({ name })),
            rows: rows.map((row) => row.map((value) => ({ type: 'text', value }))),
          },
        },
      },
    ],
  })
  const database = () =>
    outside(({ body }) =>
      body.includes('sqlite_master')
        ? result(
            ['name', 'sql'],
            [
              ['people', 'CREATE TABLE people (name)'],
              ['secrets', 'CREATE TABLE secrets (key)'],
            ],
          )
        : result(['n'], [['2']]),
    )

  it('runs the SELECT that the model writes, and answers from its rows', async () => {
    const { egress, sent } = database()
    const model = scriptedModel(['{"sql":"select count(*) as n from people;"}'], ['Two people'])
    const ended = await runChat(flow, { models: model, egress })
    expect([ended.error, ended.text]).toEqual([undefined, 'Two people'])
    expect(sent.map(({ url }) => url)).toEqual(Array(2).fill('https://db.example.com/v2/pipeline'))
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer t')
    expect(toldTo(model)[0]).toContain('CREATE TABLE people')
    expect(toldTo(model)[0]).not.toContain('secrets')
    expect(toldTo(model, 1)[0]).toContain('[{\\"n\\":\\"2\\"}]')
    expect(outputOf(ended).sql).toBe('select count(*) as n from people')
  })

  it('refuses to run what does not only read', async () => {
    const { egress, sent } = database()
    const ended = await runChat(flow, { models: scriptedModel(['{"sql":"drop table people"}']), egress })
    expect(ended.error).toContain('Only SELECT statements are run')
    expect(sent).toHaveLength(1)
  })

  it.each([
    ['select 1; delete from people', 'Only one statement is run'],
    ['with x as (select 1) delete from people', 'Only statements that read are run'],
    ['pragma table_info(x)', 'Only SELECT statements are run'],
  ])('refuses %s', (statement, message) => {
    for (const { assertReads } of databases) expect(() => assertReads(statement)).toThrow(message)
  })

  it.each(['select \'a; drop table x\' as "delete"', 'SELECT a FROM b', 'with a as (select 1) select * from a'])(
    'accepts %s',
    (statement) => {
      for (const { assertReads } of databases) expect(() => assertReads(statement)).not.toThrow()
    },
  )

  it('accepts a comment where comments are not run', () => {
    expect(() => databases[0]?.assertReads('SELECT a /* ; */ FROM b')).not.toThrow()
  })

  it.each([
    'with x as (select 1) /*! delete from people */',
    "with x as (select 1) # '\ndelete from people",
    "with x as (select '\\') delete from people where name = '",
    "with x as (select 1) -- '\ndelete from people",
  ])('refuses what MySQL would read otherwise: %s', (statement) =>
    expect(() =>
      openMysql(
        MYSQL,
        outside(() => ({})),
      ).assertReads(statement),
    ).toThrow('without comments'),
  )

  it('says which databases can be reached', async () => {
    const other = drawChat({ scripted_0: {}, sqlDatabaseChain_0: { inputs: { url: 'postgres://x' } } }, [
      'scripted_0 > sqlDatabaseChain_0.model',
    ])
    expect((await runChat(other, { models: scriptedModel(['x']) })).error).toContain('Only databases over HTTP')
  })
})

describe('sqlDatabaseChain on a server', () => {
  const chain = (database: string, url: string) =>
    drawChat({ scripted_0: {}, sqlDatabaseChain_0: { inputs: { database, url } } }, [
      'scripted_0 > sqlDatabaseChain_0.model',
    ])
  const columns = [
    { name: 'people', column: 'id', type: 'integer' },
    { name: 'people', column: 'name', type: 'text' },
  ]
  const counted = () => scriptedModel(['{"sql":"select count(*) as n from people"}'], ['Two people'])
  const statementsOf = (sent: { body: string }[]) =>
    sent.map(({ body }) => {
      const { query, queries } = JSON.parse(body) as { query?: string; queries?: { query: string }[] }
      return query ?? queries?.[0]?.query
    })

  it('asks PostgreSQL in a transaction that only reads', async () => {
    const { egress, sent } = outside(({ body }) => ({
      results: [{ command: 'SELECT', rows: body.includes('information_schema') ? columns : [{ n: '2' }] }],
    }))
    const model = counted()
    const ended = await runChat(chain('postgres', POSTGRES), { models: model, egress })
    expect([ended.error, ended.text]).toEqual([undefined, 'Two people'])
    expect(sent[1]).toMatchObject({ method: 'POST', url: 'https://ep-loom.example.tech/sql' })
    expect(sent.map(({ headers }) => headers.get('neon-batch-read-only'))).toEqual(['true', 'true'])
    expect(sent[1]?.headers.get('neon-connection-string')).toBe(POSTGRES)
    expect(statementsOf(sent)[1]).toBe('select count(*) as n from people')
    expect(toldTo(model)[0]).toMatch(/PostgreSQL[\s\S]*people \(id integer, name text\)/)
    expect(toldTo(model, 1)[0]).toContain('[{\\"n\\":\\"2\\"}]')
  })

  it('asks MySQL', async () => {
    const field = (name: string) => ({ name, type: 'VARCHAR' })
    const row = (values: string[]) => ({
      lengths: values.map((value) => String(value.length)),
      values: btoa(values.join('')),
    })
    const { egress, sent } = outside(({ body }) => ({
      session: {},
      result: body.includes('information_schema')
        ? {
            fields: ['name', 'column', 'type'].map(field),
            rows: columns.map(({ name, column, type }) => row([name, column, type])),
          }
        : { fields: [field('n')], rows: [row(['2'])] },
    }))
    const model = counted()
    const ended = await runChat(chain('mysql', MYSQL), { models: model, egress })
    expect([ended.error, ended.text]).toEqual([undefined, 'Two people'])
    expect(sent[1]?.url).toBe('https://loom.example.cloud/psdb.v1alpha1.Database/Execute')
    expect(sent[1]?.headers.get('authorization')).toBe(`Basic ${btoa('ann:p@ss')}`)
    expect(statementsOf(sent)[1]).toBe('select count(*) as n from people')
    expect(toldTo(model)[0]).toMatch(/MySQL[\s\S]*people \(id integer, name text\)/)
    expect(toldTo(model, 1)[0]).toContain('[{\\"n\\":\\"2\\"}]')
  })

  it.each([
    [
      'postgres',
      POSTGRES,
      { message: 'password authentication failed' },
      'Only PostgreSQL databases that answer over HTTP',
    ],
    ['mysql', MYSQL, { error: { code: 'UNAUTHENTICATED', message: 'Access denied' } }, 'Access denied'],
    ['postgres', 'libsql://x', {}, 'postgresql://user:password@host/database'],
    ['mysql', 'libsql://x', {}, 'mysql://user:password@host/database'],
    ['mssql', 'mssql://x', {}, 'cannot be reached over HTTP'],
  ])('says why %s at %s cannot be asked', async (database, url, reply, message) => {
    const { egress } = outside(() => reply)
    expect((await runChat(chain(database, url), { models: scriptedModel(['x']), egress })).error).toContain(message)
  })
})
