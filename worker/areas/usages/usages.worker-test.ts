import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flowDataOf } from '#contract/chatflows/chatflows.ts'
import type { FlowList } from '#contract/chatflows/flow-summary.ts'
import type { Home } from '#contract/home/home.ts'
import type { Usages } from '#contract/usages/usages.ts'
import { assetUsages, chatflows, unindexedFlows } from '#db/schema/index.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'
import { flowSave } from './record.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

const replyWith = (text: string) => chain(start(), directReply(text))

const usersOf = async (asset: string, kind = 'variable') =>
  (await scene.call<Usages>('GET', `/usages?kind=${kind}&asset=${encodeURIComponent(asset)}`)).body

const rowsOf = async (flowId: string) =>
  (await scene.heddle.database.select().from(assetUsages).where(eq(assetUsages.ownerId, flowId)))
    .map(({ assetKind, asset }) => `${assetKind} ${asset}`)
    .sort()

const saveAgain = (flowId: string, text: string, more: object = {}) =>
  scene.call('PUT', `/chatflows/${flowId}`, { flowData: JSON.stringify(replyWith(text)), ...more })

/** What the migration did to the flows of an older database. */
async function forgetIndex(flowId: string) {
  const folder = join(import.meta.dirname, '../../../migrations')
  const file = readdirSync(folder).find((name) => name.startsWith('0018')) as string
  const statement = readFileSync(join(folder, file), 'utf8').split('--> statement-breakpoint').at(-1) as string
  expect(statement).toContain('INSERT INTO `unindexed_flows`')
  const { database } = scene.heddle
  await database.delete(unindexedFlows)
  await database.run(sql.raw(statement))
  await database.delete(assetUsages).where(eq(assetUsages.ownerId, flowId))
  await database.update(chatflows).set({ summary: null }).where(eq(chatflows.id, flowId))
}

it('follows a flow through creation, change and deletion', async () => {
  const flowId = await scene.save(replyWith('{{$vars.first}} {{$vars.second}}'), { name: 'Support triage' })
  const user = { kind: 'flow', id: flowId, name: 'Support triage', type: 'AGENTFLOW' }
  expect(await usersOf('first')).toEqual({ data: [user], total: 1 })
  await saveAgain(flowId, '{{$vars.second}} {{$vars.third}}')
  expect(await usersOf('first')).toEqual({ data: [], total: 0 })
  expect(await usersOf('third')).toEqual({ data: [user], total: 1 })
  expect(await rowsOf(flowId)).toEqual(['variable second', 'variable third'])
  await scene.call('DELETE', `/chatflows/${flowId}`)
  expect(await rowsOf(flowId)).toEqual([])
})

it('counts the users in the list of variables', async () => {
  await scene.call('POST', '/variables', { name: 'tally', value: '1' })
  await scene.save(replyWith('{{$vars.tally}}'))
  await scene.save(replyWith('{{$vars.tally}} {{$vars.tally}}'))
  const bob = await scene.heddle.signUp()
  await scene.call('POST', '/variables', { name: 'tally', value: '1' }, bob)
  const countOf = async (client = scene.ann) =>
    (await scene.call<{ name: string; usageCount: number }[]>('GET', '/variables', undefined, client)).body.find(
      ({ name }) => name === 'tally',
    )?.usageCount
  expect([await countOf(), await countOf(bob)]).toEqual([2, 0])
})

it('keeps what is recorded when a save is refused', async () => {
  const flowId = await scene.save(replyWith('{{$vars.kept}}'))
  const { status } = await saveAgain(flowId, '{{$vars.refused}}', { version: 99 })
  expect(status).toBe(409)
  expect(await rowsOf(flowId)).toEqual(['variable kept'])
})

it('counts what the published version uses until another one is published', async () => {
  const flowId = await scene.save(replyWith('{{$vars.launched}}'))
  const publish = (version?: number) => scene.call('POST', `/chatflows/${flowId}/publish`, { version })
  await publish()
  await saveAgain(flowId, '{{$vars.drafted}}')
  expect(await rowsOf(flowId)).toEqual(['variable drafted', 'variable launched'])
  await publish()
  await scene.heddle.scheduled()
  expect(await rowsOf(flowId)).toEqual(['variable drafted'])
  await publish(1)
  await scene.heddle.scheduled()
  expect(await rowsOf(flowId)).toEqual(['variable drafted', 'variable launched'])
})

it('records the flows of an import', async () => {
  const id = crypto.randomUUID()
  const flow = { id, name: 'Imported', flowData: JSON.stringify(replyWith('{{$vars.brought}}')), type: 'AGENTFLOW' }
  await scene.call('POST', '/export-import/import', { AgentFlowV2: [flow] })
  expect((await usersOf('brought')).data).toMatchObject([{ name: 'Imported' }])
})

describe('a tool of the workspace', () => {
  const tool = { name: 'greet', description: 'Greets', schema: '[]' }

  it('uses the variables that its code names, until it is changed or deleted', async () => {
    const func = 'return $vars.salutation + $vars["closing"] + $vars.salutation'
    const { body } = await scene.call<{ id: string }>('POST', '/tools', { ...tool, func })
    expect(await rowsOf(body.id)).toEqual(['variable closing', 'variable salutation'])
    const user = { kind: 'tool', id: body.id, name: 'greet', type: null }
    expect(await usersOf('salutation')).toEqual({ data: [user], total: 1 })
    await scene.call('PUT', `/tools/${body.id}`, { description: 'Greets people' })
    expect(await rowsOf(body.id)).toHaveLength(2)
    await scene.call('PUT', `/tools/${body.id}`, { func: 'return $vars.farewell' })
    expect(await rowsOf(body.id)).toEqual(['variable farewell'])
    await scene.call('DELETE', `/tools/${body.id}`)
    expect(await rowsOf(body.id)).toEqual([])
  })

  it('uses the variables that its code names when it is imported', async () => {
    const id = crypto.randomUUID()
    await scene.call('POST', '/export-import/import', { Tool: [{ ...tool, id, func: 'return $vars.imported' }] })
    expect((await usersOf('imported')).data).toMatchObject([{ kind: 'tool', name: 'greet' }])
  })

  it('is left alone by whoever may not change it', async () => {
    const { body } = await scene.call<{ id: string }>('POST', '/tools', { ...tool, func: 'return $vars.mine' })
    const bob = await scene.heddle.signUp()
    expect((await scene.call('PUT', `/tools/${body.id}`, { func: 'return $vars.theirs' }, bob)).status).toBe(404)
    expect((await scene.call('DELETE', `/tools/${body.id}`, undefined, bob)).status).toBe(404)
    expect(await rowsOf(body.id)).toEqual(['variable mine'])
  })
})

it('counts the users in the list of MCP servers', async () => {
  const { body } = await scene.call<{ id: string }>('POST', '/custom-mcp-servers', {
    name: 'Library',
    serverUrl: 'https://mcp.example/mcp',
  })
  const tool = { agentSelectedTool: 'customMcpServerTool', agentSelectedToolConfig: { mcpServerId: body.id } }
  const flow = replyWith('Hello')
  const [first] = flow.nodes
  if (first) first.data.inputs = { ...first.data.inputs, agentTools: [tool] }
  await scene.save(flow)
  const { body: list } = await scene.call<{ usageCount: number }[]>('GET', '/custom-mcp-servers')
  expect(list).toMatchObject([{ name: 'Library', usageCount: 1 }])
})

it('records flows of an older database within a minute, once', async () => {
  const flowId = await scene.save(replyWith('{{$vars.old}}'))
  await forgetIndex(flowId)
  expect((await usersOf('old')).total).toBe(0)
  await scene.heddle.scheduled()
  await scene.heddle.scheduled()
  expect(await rowsOf(flowId)).toEqual(['variable old'])
  expect(await scene.heddle.database.select().from(unindexedFlows)).toEqual([])
})

it('summarizes the draft of a flow of an older database for lists', async () => {
  const flowId = await scene.save(replyWith('first'))
  await scene.call('POST', `/chatflows/${flowId}/publish`)
  await scene.call('PUT', `/chatflows/${flowId}`, { flowData: JSON.stringify(chain(start())) })
  const listed = async () => {
    const { body } = await scene.call<FlowList>('GET', '/chatflows-list')
    const { body: home } = await scene.call<Home>('GET', '/home')
    const sketch = home.flows.find(({ id }) => id === flowId)?.sketch
    return { nodes: body.data.find(({ id }) => id === flowId)?.nodes, drawn: sketch?.nodes.length }
  }
  const saved = await listed()
  expect(saved).toEqual({ nodes: 1, drawn: 1 })
  await forgetIndex(flowId)
  expect(await listed()).toEqual({ nodes: null, drawn: 0 })
  await scene.heddle.scheduled()
  expect(await listed()).toEqual(saved)
})

it('indexes a few flows a minute, and gets past flows that are broken or gone', async () => {
  const { database } = scene.heddle
  const flowId = await scene.save(replyWith('{{$vars.crowd}}'))
  await forgetIndex(flowId)
  const [flow] = await database.select().from(chatflows).where(eq(chatflows.id, flowId))
  const workspaceId = flow?.workspaceId ?? ''
  const gone = Array.from({ length: 60 }, (_, index) => ({ id: ` gone ${index}`, workspaceId }))
  await database.insert(unindexedFlows).values(gone)
  await database.insert(chatflows).values({ ...flow, id: ' broken', flowData: '{' } as never)
  await database.insert(unindexedFlows).values({ id: ' broken', workspaceId })
  await scene.heddle.scheduled()
  expect(await database.$count(unindexedFlows)).toBeGreaterThan(0)
  expect(await rowsOf(flowId)).toEqual([])
  await scene.heddle.scheduled()
  expect(await rowsOf(flowId)).toEqual(['variable crowd'])
  expect(await database.$count(unindexedFlows)).toBe(0)
})

it('writes nothing for data that the flow does not hold', async () => {
  const { database } = scene.heddle
  const flowId = await scene.save(replyWith('{{$vars.now}}'))
  const [flow] = await database.select().from(chatflows).where(eq(chatflows.id, flowId))
  const older = { id: flowId, flowData: flowDataOf(JSON.stringify(replyWith('{{$vars.before}}'))), updatedDate: '' }
  await database.batch(flowSave(database, flow as never, older) as never)
  expect(await rowsOf(flowId)).toEqual(['variable now'])
})

it('shows a workspace its own users only', async () => {
  await scene.save(replyWith('{{$vars.shared}}'))
  const bob = await scene.heddle.signUp()
  const { body } = await scene.call<Usages>('GET', '/usages?kind=variable&asset=shared', undefined, bob)
  expect(body).toEqual({ data: [], total: 0 })
})

it('only counts flows that the caller may not view, and refuses who may not view the asset', async () => {
  await scene.save(replyWith('{{$vars.counted}}'))
  const ask = async (permissions: string[]) => {
    const { body: key } = await scene.call<{ apiKey: string }>('POST', '/apikey', { keyName: 'k', permissions })
    const headers = { authorization: `Bearer ${key.apiKey}` }
    const response = await scene.heddle.fetch('/api/v1/usages?kind=variable&asset=counted', { headers })
    return { status: response.status, body: await response.json() }
  }
  const counted = await ask(['variables:view', 'chatflows:view'])
  expect(counted).toEqual({ status: 200, body: { data: [], total: 1 } })
  expect((await ask(['variables:view', 'agentflows:view'])).body.data).toHaveLength(1)
  expect((await ask(['credentials:view', 'agentflows:view'])).status).toBe(403)
})

it.each([
  ['kind=secret&asset=a', 'kind'],
  ['kind=variable', 'asset'],
  ['kind=variable&asset=', 'asset'],
  [`kind=variable&asset=${'x'.repeat(201)}`, 'asset'],
])('refuses %s', async (query, field) => {
  const { status, body } = await scene.call<{ field: string }>('GET', `/usages?${query}`)
  expect({ status, field: body.field }).toEqual({ status: 400, field })
})

it.each(['../../etc/passwd', "' or 1=1 --", '\u202eevil', '🦊', '%', 'a\nb'])('finds no users of %j', async (asset) => {
  expect(await usersOf(asset)).toEqual({ data: [], total: 0 })
})
