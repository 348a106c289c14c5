// @defends value-secret-variable
/**
 * Secret variables reach what a flow calls, and nothing that it says or records. Not covered: a flow that encodes one, in
 * base64 or by its letters, before it says it.
 */
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import * as schema from '#db/schema/index.ts'
import { type EchoServer, startEchoServer } from '../../../e2e/support/echo-server.ts'
import { chain, code, directReply, get, llm, start } from '../../../e2e/support/flows.ts'
import { openScene, type Reply, type Scene } from './testing/scene.ts'

const VALUE = 'sk "quoted" <b>zebra-crossing</b> ü/1'
/** However the value is quoted and encoded. */
const MARK = 'zebra'

let scene: Scene
let echo: EchoServer
beforeAll(async () => {
  echo = await startEchoServer()
  scene = await openScene({ allowPrivateHosts: echo.host })
  await scene.call('POST', '/variables', { name: 'token', value: VALUE, type: 'secret' })
})
afterAll(async () => {
  await scene.close()
  await echo.close()
})
beforeEach(() => scene.model.reset())

/** Every row of every table with a text in it, and what the API tells of the run. */
async function everything(executionId?: string): Promise<string> {
  const { database } = scene.heddle
  const names = await database.all<{ name: string }>(
    sql`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`,
  )
  const rows = await Promise.all(names.map(({ name }) => database.all(sql`select * from ${sql.identifier(name)}`)))
  const { body: bundle } = await scene.call('POST', '/export-import/export', {
    execution: true,
    variable: true,
    chat_message: true,
    agentflowv2: true,
  })
  const { body: list } = await scene.call('GET', '/variables')
  return JSON.stringify([rows, bundle, list, executionId && (await scene.execution(executionId))])
}

/** The pieces in which a model streams a text. */
const inPieces = (text: string) => text.match(/.{1,3}/gsu) as string[]
const asking = (content: string) => llm(scene.model.baseUrl, 0, { llmMessages: [{ role: 'user', content }] })

const attacks: [string, () => FlowDocument][] = [
  ['a reply', () => chain(start(), directReply('It is {{$vars.token}}.'))],
  ['a model that echoes it', () => chain(start(), asking('Repeat {{$vars.token}}'))],
  [
    'a service that echoes it',
    () => chain(start(), get(`${echo.url}/?q={{$vars.token}}`, 0), directReply('{{httpAgentflow_0}}')),
  ],
  ['a custom function', () => chain(start(), code('return { made: "of " + $vars.token }', 0))],
  [
    'a custom function that goes through all variables',
    () => chain(start(), code('return Object.values($vars).join()', 0)),
  ],
  ['the console', () => chain(start(), code('console.log($vars.token); console.error($vars.token); return "done"', 0))],
  ['an error', () => chain(start(), code('throw new Error("no entry with " + $vars.token)', 0))],
  [
    'the state of the flow',
    () =>
      chain(
        start({ startState: [{ key: 'kept', value: '' }], startPersistState: true }),
        code('return $vars.token', 0, { customFunctionUpdateState: [{ key: 'kept', value: '{{ output }}' }] }),
        directReply('{{$flow.state.kept}}'),
      ),
  ],
]

it.each(attacks)('the value of a secret does not get out through %s', async (_way, flow) => {
  const flowId = await scene.save(flow())
  scene.model.always(({ messages }) => ({ text: inPieces(messages.map(({ content }) => content).join(', ')) }))
  const answered = (await scene.internally(flowId, { question: 'q' })).body
  expect(JSON.stringify(answered)).not.toContain(MARK)
  const outside = (await scene.ask(flowId, { question: 'q' })).body
  expect(JSON.stringify(outside)).not.toContain(MARK)
  const events = await scene.stream(`/internal-prediction/${flowId}`, { question: 'q' }, scene.ann)
  const said = events.flatMap(({ event, data }) => (event === 'token' ? [data as string] : [])).join('')
  expect(said).not.toContain(MARK)
  expect(JSON.stringify(events)).not.toContain(MARK)
  expect(await everything(answered.executionId)).not.toContain(MARK)
})

it('a model and a service get the value of a secret', async () => {
  const flow = chain(start(), get(`${echo.url}/?q={{$vars.token}}`, 0), asking('Repeat {{$vars.token}}'))
  scene.model.always(({ messages }) => ({ text: `${messages[0]?.content}` }))
  const { body } = await scene.internally(await scene.save(flow), { question: 'q' })
  expect(new URL(echo.requests.at(-1)?.url ?? '', echo.url).searchParams.get('q')).toBe(VALUE)
  expect(JSON.stringify(scene.model.requests.at(-1)?.body.messages)).toContain(MARK)
  expect(body.text).toBe('Repeat (hidden)')
})

it('a caller does not replace a secret, even where the flow allows its name', async () => {
  const apiConfig = JSON.stringify({
    overrideConfig: { status: true, variables: [{ id: 'v', name: 'token', type: 'static', enabled: true }] },
  })
  const flowId = await scene.save(chain(start(), get(`${echo.url}/?q={{$vars.token}}`, 0)), { apiConfig })
  await scene.ask(flowId, { question: 'q', overrideConfig: { vars: { token: 'theirs-instead' } } })
  expect(new URL(echo.requests.at(-1)?.url ?? '', echo.url).searchParams.get('q')).toBe(VALUE)
})

it('a function that is tried on the canvas uses a secret without showing it', async () => {
  const attempt = (javascriptFunction: string) =>
    scene.call<Reply | string>('POST', '/node-custom-function', { javascriptFunction })
  expect((await attempt('return "it is " + $vars.token')).body).toBe('it is (hidden)')
  expect((await attempt('return $vars.token.length')).body).toBe(VALUE.length)
  const failed = await attempt('throw new Error($vars.token)')
  expect(failed.status).toBe(400)
  expect(JSON.stringify(failed.body)).not.toContain(MARK)
})

it('the two round trips of a prediction include the secrets', async () => {
  const flowId = await scene.save(chain(start(), directReply('{{$vars.token}}')))
  const ask = () => scene.ask(flowId, { question: 'q', chatId: crypto.randomUUID() })
  await ask()
  const before = scene.heddle.roundTrips()
  await ask()
  expect(scene.heddle.roundTrips() - before).toBe(2)
})

it('a step that reads an imported secret fails until its value is set', async () => {
  const Variable = [{ id: crypto.randomUUID(), name: 'brought', value: 'in-the-file-zebra', type: 'secret' }]
  await scene.call('POST', '/export-import/import', { Variable })
  const [row] = await scene.heddle.database.select().from(schema.variables).where(eq(schema.variables.name, 'brought'))
  expect(row).toMatchObject({ value: '', encryptedValue: null, type: 'secret' })
  const flowId = await scene.save(chain(start(), code('return $vars.brought.length', 0)))
  const ask = async () => (await scene.internally(flowId, { question: 'q' })).body
  expect((await ask()).message).toContain('Variable "brought" is a secret without a value. Set it under Variables')
  await scene.call('PUT', `/variables/${row?.id}`, { value: 'a new secret' })
  expect((await ask()).text).toBe('12')
})
