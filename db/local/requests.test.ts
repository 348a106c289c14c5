import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { servers } from './testing/servers.ts'

const DESERIALIZE = 'Cannot deserialize client message from JSON: '
const REQUESTS = '`close`, `execute`, `batch`, `sequence`, `describe`, `store_sql`, `close_sql`, `get_autocommit`'

const insert = { type: 'execute', stmt: { sql: 'insert into made (a) values (1)' } }
const execute = (stmt: unknown) => ({ type: 'execute', stmt })
const bind = (value: unknown) => execute({ sql: 'select ?', args: [value] })
const batch = (...steps: unknown[]) => ({ type: 'batch', batch: { steps } })
const only = (condition: unknown) => batch({ condition, stmt: { sql: 'select 1' } })

/** Bodies that are no request, and what is said. */
const bodies: [string, string][] = [
  ['', 'EOF while parsing a value at line 1 column 0'],
  ['\n ', 'EOF while parsing a value at line 2 column 1'],
  ['{', 'EOF while parsing an object at line 1 column 1'],
  ['{"requests"', 'EOF while parsing an object at line 1 column 11'],
  ['{"requests":', 'EOF while parsing a value at line 1 column 12'],
  ['{"requests":[', 'EOF while parsing a list at line 1 column 13'],
  ['{"requests":[NaN]}', 'expected value at line 1 column 14'],
  ['{"requests":[nil]}', 'expected ident at line 1 column 15'],
  ['{"requests":[{"type":"close"} 2]}', 'expected `,` or `]` at line 1 column 31'],
  ['{"requests":[],}', 'trailing comma at line 1 column 16'],
  ['{"requests":[{"type":"close"},]}', 'trailing comma at line 1 column 31'],
  ['{"requests" []}', 'expected `:` at line 1 column 13'],
  ['{"requests":[] "a":1}', 'expected `,` or `}` at line 1 column 16'],
  ['{requests:[]}', 'key must be a string at line 1 column 2'],
  ['{"requests":[]}\n\n x', 'trailing characters at line 3 column 2'],
  ['{"requests":[01]}', 'invalid number at line 1 column 15'],
  ['{"requests":[1.]}', 'invalid number at line 1 column 16'],
  ['{"requests":[-]}', 'invalid number at line 1 column 15'],
  [
    '{"requests":[{"type":"execute","stmt":{"sql":"select ?","args":[{"type":"float","value":1e999}]}}]}',
    'number out of range at line 1 column 93',
  ],
  ['{"requests":[1e]}', 'invalid number at line 1 column 16'],
  ['{"baton":"żółw', 'EOF while parsing a string at line 1 column 17'],
  ['{"baton":"\\x"}', 'invalid escape at line 1 column 12'],
  ['{"baton":"\\u12g4"}', 'invalid escape at line 1 column 16'],
  ['{"baton":"\n"}', 'control character (\\u0000-\\u001F) found while parsing a string at line 2 column 0'],
  ['{}', 'missing field `requests` at line 1 column 2'],
  ['\n{\n "a": {} }', 'missing field `requests` at line 3 column 10'],
  [' 5', 'invalid type: integer `5`, expected struct PipelineReqBody at line 1 column 2'],
  ['{"requests":null}', 'invalid type: null, expected a sequence at line 1 column 16'],
  ['{"requests":{}}', 'invalid type: map, expected a sequence at line 1 column 12'],
  ['{"baton":5,"requests":[]}', 'invalid type: integer `5`, expected a string at line 1 column 10'],
  ['{"requests":[{"type":"close_sql"} ,\n {"type":"close"}]}', 'missing field `sql_id` at line 2 column 1'],
  ['{"requests":[{"type":"close_sql"} ]}', 'missing field `sql_id` at line 1 column 35'],
  ['{"requests":[{"type":5}]}', 'invalid type: integer `5`, expected variant identifier at line 1 column 22'],
  [
    '{"requests":[{"type":"żółw" , "a":1}]}',
    `unknown variant \`żółw\`, expected one of ${REQUESTS} at line 1 column 30`,
  ],
]

/** Requests of a wrong form: nothing of their pipeline is done. */
const malformed: [unknown, string][] = [
  [null, 'invalid type: null, expected internally tagged enum StreamRequest'],
  [execute(null), 'invalid type: null, expected struct Stmt'],
  [{}, 'missing field `type`'],
  [{ type: 'frobnicate' }, `unknown variant \`frobnicate\`, expected one of ${REQUESTS}`],
  [{ type: 'execute' }, 'missing field `stmt`'],
  [{ type: 'batch' }, 'missing field `batch`'],
  [{ type: 'batch', batch: {} }, 'missing field `steps`'],
  [{ type: 'batch', batch: { steps: {} } }, 'invalid type: map, expected a sequence'],
  [batch({}), 'missing field `stmt`'],
  [{ type: 'store_sql', sql_id: 1 }, 'missing field `sql`'],
  [{ type: 'close_sql', sql_id: '1' }, 'invalid type: string "1", expected i32'],
  [execute({ sql: 5 }), 'invalid type: integer `5`, expected a string'],
  [execute({ sql: 'select 1', want_rows: 'no' }), 'invalid type: string "no", expected a boolean'],
  [execute({ sql: 'select ?', args: 'a' }), 'invalid type: string "a", expected a sequence'],
  [execute({ sql: 'select :a', named_args: [{ name: 'a' }] }), 'missing field `value`'],
  [bind({ type: 'bool' }), 'unknown variant `bool`, expected one of `null`, `integer`, `float`, `text`, `blob`'],
  [bind({ type: 'text' }), 'missing field `value`'],
  [bind({ type: 'text', value: 1.5 }), 'invalid type: floating point `1.5`, expected a string'],
  [bind({ type: 'float', value: null }), 'invalid type: null, expected f64'],
  [bind({ type: 'float', value: '1.5' }), 'invalid type: string "1.5", expected f64'],
  [bind({ type: 'integer', value: 5 }), 'invalid type: integer `5`, expected a borrowed string'],
  [
    bind({ type: 'integer', value: '9223372036854775808' }),
    'invalid value: string "9223372036854775808", expected decimal integer as a string',
  ],
  [bind({ type: 'blob', base64: '__79_A' }), 'invalid value: string "__79_A", expected binary data encoded as base64'],
  [bind({ type: 'blob', base64: 'A' }), 'invalid value: string "A", expected binary data encoded as base64'],
  [bind({ type: 'blob', base64: 'AB' }), 'invalid value: string "AB", expected binary data encoded as base64'],
  [{ type: 'close_sql', sql_id: 2 ** 31 }, 'invalid value: integer `2147483648`, expected i32'],
  [only({ type: 'ok', step: -1 }), 'invalid value: integer `-1`, expected u32'],
  [only({ type: 'ok', step: 0.5 }), 'invalid type: floating point `0.5`, expected u32'],
  [
    only({ type: 'maybe' }),
    'unknown variant `maybe`, expected one of `ok`, `error`, `not`, `and`, `or`, `is_autocommit`',
  ],
  [only({ type: 'ok' }), 'missing field `step`'],
]

/** The bytes of a body that end with a request, and are unread when it is refused: its fields are looked at after its list. */
function bytesUnread(request: unknown): number {
  const { type } = (request ?? {}) as { type?: string }
  if (type === undefined) return ']}'.length
  return REQUESTS.includes(`\`${type}\``) ? '}'.length : '}]}'.length
}

/** Requests that cannot be done: those before them are. */
const impossible: [unknown, string][] = [
  [execute({}), 'Either `sql` or `sql_id` are required'],
  [execute({ sql: 'select 1', sql_id: 1 }), 'Either `sql` or `sql_id` are required, but not both'],
  [execute({ sql_id: 1 }), 'SQL text 1 not found'],
  [{ type: 'sequence', sql_id: 1 }, 'SQL text 1 not found'],
  [batch({ stmt: { sql: 'select 1' } }, { stmt: {} }), 'Either `sql` or `sql_id` are required'],
  [only({ type: 'ok', step: 0 }), 'Invalid reference to step in a batch condition'],
  [
    only({ type: 'is_autocommit' }),
    'BatchCond of type `is_autocommit` is only supported in protocol version hrana3 and higher',
  ],
  [{ type: 'get_autocommit' }, 'The `get_autocommit` request is only supported in protocol version hrana3 and higher'],
]

const text = (value: string) => ({ type: 'text', value })
const named = (...names: string[]) => names.map((name) => ({ name, value: text(name) }))
const MISMATCH = 'Arguments do not match SQL parameters: '

/** Arguments that are not those of their statement. */
const mismatches: [object, string, string][] = [
  [{ sql: 'select ?, ?', args: [text('a')] }, `${MISMATCH}value for parameter 2 not found`, 'ARGS_INVALID'],
  [{ sql: 'select ?1, ?2', args: [text('a')] }, `${MISMATCH}value for parameter ?2 not found`, 'ARGS_INVALID'],
  [{ sql: 'select ?3', args: [text('a')] }, `${MISMATCH}value for parameter 2 not found`, 'ARGS_INVALID'],
  [
    { sql: 'select ?, \'?\' as "?" --?', args: [text('a'), text('b')] },
    `${MISMATCH}too many parameters, expected 1 found 2`,
    'ARGS_INVALID',
  ],
  [
    { sql: 'select 1 /* ? */', args: [text('a')] },
    `${MISMATCH}too many parameters, expected 0 found 1`,
    'ARGS_INVALID',
  ],
  [
    { sql: 'explain select ?', args: [text('a'), text('b')] },
    `${MISMATCH}too many parameters, expected 1 found 2`,
    'ARGS_INVALID',
  ],
  [{ sql: 'select :a', args: [text('a')] }, `${MISMATCH}value for parameter :a not found`, 'ARGS_INVALID'],
  [{ sql: 'select :a, $b', named_args: named('a') }, `${MISMATCH}value for parameter $b not found`, 'ARGS_INVALID'],
  [{ sql: 'select ?, :a', named_args: named('a') }, `${MISMATCH}value for parameter 1 not found`, 'ARGS_INVALID'],
]

describe.each(servers)('%s', (_, startServer) => {
  let folder: string
  let server: Awaited<ReturnType<typeof startServer>>

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-requests-'))
    server = await startServer(folder)
    await ask({ type: 'execute', stmt: { sql: 'create table made (a)' } })
  })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })

  const post = async (body: string) => {
    const headers = { authorization: `Bearer ${server.authToken}` }
    const response = await fetch(`${server.url}/v2/pipeline`, { method: 'POST', headers, body })
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  }
  const ask = (...requests: unknown[]) => post(JSON.stringify({ requests }))
  const resultOf = async (...requests: unknown[]) => JSON.parse((await ask(...requests)).text).results[0]
  const refusal = (message: string) => ({ status: 400, type: 'text/plain', text: message })
  const rowsMade = async () =>
    Number((await resultOf(execute({ sql: 'select count(*) from made' }))).response.result.rows[0][0].value)

  it.each(bodies)('refuses the body %j, and says where', async (body, message) => {
    expect(await post(body)).toEqual(refusal(DESERIALIZE + message))
  })

  it.each(malformed)('refuses %j with all of its pipeline', async (request, message) => {
    const before = await rowsMade()
    const column = JSON.stringify({ requests: [insert, request] }).length - bytesUnread(request)
    expect(await ask(insert, request)).toEqual(refusal(`${DESERIALIZE}${message} at line 1 column ${column}`))
    expect(await rowsMade()).toBe(before)
  })

  it.each(impossible)('ends the pipeline at %j', async (request, message) => {
    const before = await rowsMade()
    expect(await ask(insert, request, insert)).toEqual(refusal(message))
    expect(await rowsMade()).toBe(before + 1)
  })

  it.each(mismatches)('says what is wrong with the arguments of %j', async (stmt, message, code) => {
    expect(await resultOf(execute(stmt))).toEqual({ type: 'error', error: { message, code } })
    const { response } = await resultOf(batch({ stmt }))
    expect(response.result.step_errors).toEqual([{ message, code }])
  })

  it('refuses arguments both by position and by name', async () => {
    const stmt = { sql: 'select ?, :a', args: [text('x')], named_args: named('a') }
    const message = 'Specifying both positional and named arguments is not supported'
    const error = { type: 'error', error: { message, code: 'ARGS_BOTH_POSITIONAL_AND_NAMED' } }
    const before = await rowsMade()
    for (const request of [execute(stmt), batch({ stmt: insert.stmt }, { stmt })]) {
      expect(await resultOf(request)).toEqual(error)
    }
    expect(await rowsMade()).toBe(before)
  })

  it('takes arguments by position, by number and by name', async () => {
    const args = [text('x'), text('y')]
    const took = async (stmt: object) =>
      (await resultOf(execute(stmt))).response.result.rows[0].map(({ value }: { value: string }) => value)
    expect(await took({ sql: 'select ?2, ?', args: [...args, text('z')] })).toEqual(['y', 'z'])
    expect(
      await took({ sql: "select 'it''s :a', :a, @b, a$c, :a from (select 1 as a$c)", named_args: named('a', '@b') }),
    ).toEqual(["it's :a", 'a', '@b', '1', 'a'])
  })

  it('takes the last of the arguments of a name', async () => {
    const named_args = ['first', 'last'].map((value) => ({ name: 'a', value: text(value) }))
    const { response } = await resultOf(execute({ sql: 'select :a', named_args }))
    expect(response.result.rows).toEqual([[text('last')]])
  })

  it('ignores what it does not know, and nulls in place of nothing', async () => {
    const stmt = { sql: 'select 1', sql_id: null, want_rows: null, more: true }
    const answer = await post(JSON.stringify({ baton: null, requests: [batch({ condition: null, stmt })], more: [] }))
    expect(answer).toMatchObject({ status: 200 })
  })

  it('refuses a text that is stored twice, and batons that are used or unknown', async () => {
    const store = { type: 'store_sql', sql_id: 1, sql: 'select 1' }
    const { baton } = JSON.parse((await ask(store)).text)
    const next = await post(JSON.stringify({ baton, requests: [{ type: 'execute', stmt: { sql_id: 1 } }] }))
    expect(next.status).toBe(200)
    expect(await post(JSON.stringify({ baton, requests: [] }))).toEqual(
      refusal('Received a baton that has already been used'),
    )
    const newest = JSON.parse(next.text).baton
    expect(await post(JSON.stringify({ baton: newest, requests: [store] }))).toEqual(
      refusal('SQL text 1 already exists'),
    )
    for (const gone of [newest, 'unknown', '']) {
      expect(await post(JSON.stringify({ baton: gone, requests: [] }))).toEqual(refusal('Received an invalid baton'))
    }
    expect(await ask({ type: 'close' }, insert)).toEqual(refusal('Stream for this baton was closed'))
  })

  it('answers other paths and methods with a status alone', async () => {
    const statusOf = async (method: string, path: string) => {
      const headers = { authorization: `Bearer ${server.authToken}` }
      const response = await fetch(server.url + path, { method, headers })
      return [response.status, await response.text()]
    }
    expect(await statusOf('GET', '/v4/pipeline')).toEqual([404, ''])
    expect(await statusOf('GET', '/v2/pipeline')).toEqual([405, ''])
    expect(await statusOf('GET', '/v2')).toEqual([200, 'Hello, this is HTTP API v2 (Hrana over HTTP)'])
  })
})
