import { afterAll, beforeAll, expect, it } from 'vitest'
import { SEARCH_KINDS, SEARCH_RESULTS, SEARCH_WINDOW, type SearchResult } from '#contract/search/search.ts'
import { executions } from '#db/schema/index.ts'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { joinWorkspace, userOf } from '../../http/testing/people.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

let scene: Scene
let flowId: string

beforeAll(async () => {
  scene = await openScene()
  flowId = await scene.save(chain(start(), directReply('Hello')), { name: 'Bobbin flow' })
  await scene.internally(flowId, { question: 'Where is the BOBBIN?' })
  await scene.call('POST', '/triggers', {
    flowId,
    name: 'Bobbin alarm',
    settings: { kind: 'schedule', cron: '0 9 * * *', input: { mode: 'text', text: 'Go' } },
  })
  await scene.call('POST', '/credentials', {
    name: 'Bobbin key',
    credentialName: 'openAIApi',
    plainDataObj: { openAIApiKey: 'sk-secret' },
  })
  await scene.call('POST', '/marketplaces/custom', { name: 'Bobbin template', type: 'AgentflowV2', chatflowId: flowId })
  await scene.call('POST', '/variables', { name: 'bobbin_count', value: '7', type: 'static' })
  await scene.call('POST', '/apikey', { keyName: 'Bobbin robot', permissions: ['agentflows:view'] })
  await scene.call('POST', '/tools', { name: 'wind_bobbin', description: 'Winds it' })
  await scene.call('POST', '/document-store/store', { name: 'Bobbin manuals' })
})
afterAll(() => scene.close())

const search = (q: string, client?: TestClient) =>
  scene.call<{ data: SearchResult[] }>('GET', `/search?q=${encodeURIComponent(q)}`, undefined, client)
const titles = async (q: string, client?: TestClient) => (await search(q, client)).body.data.map(({ title }) => title)

it('finds each kind by its name, runs by their question, whatever the case', async () => {
  const { body } = await search('bobbin')
  expect(body.data.map(({ kind, title, detail }) => [kind, title, detail])).toEqual([
    ['flow', 'Bobbin flow', null],
    ['template', 'Bobbin template', null],
    ['execution', 'Where is the BOBBIN?', 'Bobbin flow'],
    ['trigger', 'Bobbin alarm', 'Bobbin flow'],
    ['credential', 'Bobbin key', null],
    ['variable', 'bobbin_count', null],
    ['apikey', 'Bobbin robot', null],
    ['tool', 'wind_bobbin', null],
    ['documentStore', 'Bobbin manuals', null],
  ])
  expect(body.data[0]).toMatchObject({ id: flowId, type: 'AGENTFLOW' })
  expect(JSON.stringify(body)).not.toContain('secret')
})

it('reads % and _ as they are, and refuses an empty text', async () => {
  expect(await titles('%')).toEqual([])
  expect(await titles('n_c')).toEqual(['bobbin_count'])
  expect((await search('  ')).status).toBe(400)
})

it('finds built-in templates by their name, for those who may see them', async () => {
  const { body } = await search('DIGEST')
  expect(body.data).toEqual([
    { kind: 'template', type: null, id: 'daily-digest', title: 'Daily digest', detail: null, date: null },
  ])
  const member = await scene.heddle.signUp()
  const { setPermissions } = await joinWorkspace(scene.heddle, member, scene.ann)
  await setPermissions(['templates:custom'])
  expect(await titles('digest', member)).toEqual([])
})

it('finds nothing of another workspace', async () => {
  expect(await titles('bobbin', await scene.heddle.signUp())).toEqual([])
})

it('finds only the kinds that a member may view', async () => {
  const member = await scene.heddle.signUp()
  const { setPermissions } = await joinWorkspace(scene.heddle, member, scene.ann)
  for (const [permission, kinds] of [
    ['agentflows:view', ['flow', 'trigger']],
    ['chatflows:view', []],
    ['templates:custom', ['template']],
    ['templates:marketplace', []],
    ['executions:view', ['execution']],
    ['credentials:view', ['credential']],
    ['variables:view', ['variable']],
    ['apikeys:view', ['apikey']],
    ['tools:view', ['tool']],
    ['documentStores:view', ['documentStore']],
  ] as const) {
    await setPermissions([permission])
    const { body } = await search('bobbin', member)
    expect(
      body.data.map(({ kind }) => kind),
      permission,
    ).toEqual(kinds)
  }
  expect(SEARCH_KINDS).toHaveLength(9)
})

it('looks at the newest runs only, and returns a few', async () => {
  const { activeWorkspaceId: workspaceId } = await userOf(scene.ann)
  const runOf = (question: string, minute: number): typeof executions.$inferInsert => ({
    id: crypto.randomUUID(),
    workspaceId,
    agentflowId: flowId,
    flowVersion: 1,
    sessionId: 's',
    chatId: 's',
    state: 'FINISHED',
    input: JSON.stringify({ question }),
    createdDate: new Date(Date.UTC(2040, 0, 1, 0, minute)).toISOString(),
    updatedDate: '2040-01-01T00:00:00.000Z',
  })
  const many = Array.from({ length: SEARCH_WINDOW }, (_, index) => runOf(`Shuttle ${index}`, index + 1))
  await scene.heddle.database.insert(executions).values([runOf('Out of sight', 0), ...many])
  expect(await titles('shuttle')).toEqual(
    many.slice(-SEARCH_RESULTS).map((_, at) => `Shuttle ${SEARCH_WINDOW - 1 - at}`),
  )
  expect(await titles('out of sight')).toEqual([])
})
