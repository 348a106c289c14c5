// @defends credential-leaves-run
/** The secrets of credentials reach the services that they are for, and nothing that a run says or records. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { type EchoServer, startEchoServer } from '../../../e2e/support/echo-server.ts'
import { chain, code, directReply, edge, get, llm, node, start } from '../../../e2e/support/flows.ts'
import { openScene, type Reply, type Scene } from './testing/scene.ts'

const TOKEN = 'zebra-crossing-token'
const PASSWORD = 'zebra-crossing-password'
/** In whatever form; `YW5u` is how base64 begins for the user `ann`. */
const MARKS = ['zebra', btoa(`ann:${PASSWORD}`).slice(0, 12)]

let scene: Scene
let echo: EchoServer
let bearer: string
let basic: string
beforeAll(async () => {
  echo = await startEchoServer()
  scene = await openScene({ allowPrivateHosts: echo.host })
  const add = async (credentialName: string, plainDataObj: object) =>
    (await scene.call<{ id: string }>('POST', '/credentials', { name: 'c', credentialName, plainDataObj })).body.id
  bearer = await add('httpBearerToken', { token: TOKEN })
  basic = await add('httpBasicAuth', { basicAuthUsername: 'ann', basicAuthPassword: PASSWORD })
})
afterAll(async () => {
  await scene.close()
  await echo.close()
})
beforeEach(() => scene.model.reset())

/** An HTTP step whose service answers with the headers that it got. */
function echoed(credential: string) {
  const step = get(`${echo.url}/headers`, 0)
  step.data.credential = credential
  return step
}

/** Every row of every table with a text in it, and an export. */
async function everything(): Promise<string> {
  const { database } = scene.heddle
  const names = await database.all<{ name: string }>(
    sql`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`,
  )
  const rows = await Promise.all(names.map(({ name }) => database.all(sql`select * from ${sql.identifier(name)}`)))
  const { body } = await scene.call('POST', '/export-import/export', { execution: true, chat_message: true })
  return JSON.stringify([rows, body])
}

const inPieces = (text: string) => text.match(/.{1,3}/gsu) as string[]

const attacks: [string, () => FlowDocument][] = [
  ['a service that echoes a token', () => chain(start(), echoed(bearer), directReply('{{httpAgentflow_0}}'))],
  ['a service that echoes a password', () => chain(start(), echoed(basic), directReply('{{httpAgentflow_0}}'))],
  [
    'a model that repeats what a service echoes',
    () =>
      chain(
        start(),
        echoed(bearer),
        llm(scene.model.baseUrl, 0, { llmMessages: [{ role: 'user', content: '{{httpAgentflow_0}}' }] }),
      ),
  ],
  [
    'the state of the flow',
    () =>
      chain(
        start({ startState: [{ key: 'kept', value: '' }], startPersistState: true }),
        echoed(bearer),
        code('return $given', 0, {
          customFunctionInputVariables: [{ variableName: 'given', variableValue: '{{httpAgentflow_0}}' }],
          customFunctionUpdateState: [{ key: 'kept', value: '{{ output }}' }],
        }),
        directReply('{{$flow.state.kept}}'),
      ),
  ],
]

function expectHidden(text: string) {
  for (const mark of MARKS) expect(text).not.toContain(mark)
}

it.each(attacks)('a credential does not get out through %s', async (_way, flow) => {
  const flowId = await scene.save(flow())
  scene.model.always(({ messages }) => ({ text: inPieces(messages.map(({ content }) => content).join(', ')) }))
  const answered = (await scene.internally(flowId, { question: 'q' })).body
  expect(answered.text).toContain('(hidden)')
  expectHidden(JSON.stringify(answered))
  expectHidden(JSON.stringify((await scene.ask(flowId, { question: 'q' })).body))
  const events = await scene.stream(`/internal-prediction/${flowId}`, { question: 'q' }, scene.ann)
  expectHidden(events.flatMap(({ event, data }) => (event === 'token' ? [data as string] : [])).join(''))
  expectHidden(JSON.stringify(events))
  expectHidden(await everything())
  expect(echo.requests.at(-1)?.headers.authorization).toMatch(/^(Bearer zebra|Basic )/)
})

it('a credential does not get out after a pause in which the run forgot it', async () => {
  const ask = node('humanInputAgentflow', 0, {
    humanInputDescriptionType: 'fixed',
    humanInputDescription: 'Go on?',
  })
  const [begin, request, reply] = [start(), echoed(bearer), directReply('{{httpAgentflow_0}}')]
  const edges = [edge(begin, request), edge(request, ask), edge(ask, reply, 0)]
  const flowId = await scene.save({ nodes: [begin, request, ask, reply], edges })
  await scene.internally(flowId, { question: 'q', chatId: 'paused' })
  const { body } = await scene.internally(flowId, { chatId: 'paused', humanInput: { type: 'proceed' } })
  expect(body.text).toContain('(hidden)')
  expectHidden(JSON.stringify(body))
  const again = { path: 'directReplyAgentflow_0' }
  const replayed = (await scene.call<Reply>('POST', `/executions/${body.executionId}/replay`, again)).body
  expect(replayed.text).toContain('(hidden)')
  expectHidden(JSON.stringify(replayed))
  expectHidden(await everything())
})
