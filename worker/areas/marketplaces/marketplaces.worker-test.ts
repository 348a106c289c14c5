import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq, like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BuiltInTemplate, CustomTemplate, Gallery, TemplateDetail } from '#contract/marketplaces/marketplaces.ts'
import { customTemplates } from '#db/schema/index.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { joinWorkspace } from '../../http/testing/people.ts'
import { templates } from '../../templates/index.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

let scene: Scene
let flowId: string

const SECRET = 'sk-never-in-a-template'

beforeAll(async () => {
  scene = await openScene()
  const agent = {
    ...directReply('unused'),
    id: 'agentAgentflow_0',
    data: {
      id: 'agentAgentflow_0',
      name: 'agentAgentflow',
      label: 'Clerk',
      credential: SECRET,
      inputs: {
        agentModel: 'chatOpenAI',
        agentModelConfig: { agentModel: 'chatOpenAI', modelName: 'gpt', FLOWISE_CREDENTIAL_ID: SECRET },
        agentTools: [
          {
            agentSelectedTool: 'tavilyAPI',
            agentSelectedToolConfig: {
              agentSelectedTool: 'tavilyAPI',
              FLOWISE_CREDENTIAL_ID: SECRET,
              credential: SECRET,
            },
          },
        ],
      },
    },
  }
  const begin = start({ webhookSecret: SECRET })
  flowId = await scene.save(chain(begin, agent, directReply('Done')), { name: 'Weaver' })
})
afterAll(() => scene.close())

const create = (body: object) =>
  scene.call<CustomTemplate & { message?: string }>('POST', '/marketplaces/custom', {
    name: 'Loom',
    type: 'AgentflowV2',
    chatflowId: flowId,
    ...body,
  })
const gallery = async (client = scene.ann) =>
  (await scene.call<Gallery>('GET', '/marketplaces/gallery', undefined, client)).body.data

describe('built-in templates', () => {
  it('are listed in the shape of Flowise, with ids that never change', async () => {
    const { body } = await scene.call<BuiltInTemplate[]>('GET', '/marketplaces/templates')
    expect(body.map(({ id }) => id)).toEqual(templates.map(({ id }) => id))
    expect(Object.keys(body[0] as BuiltInTemplate)).toEqual([
      ...['id', 'templateName', 'flowData', 'badge', 'framework', 'usecases', 'categories', 'type', 'description'],
    ])
    expect(body[0]).toMatchObject({
      id: 'support-triage',
      type: 'AgentflowV2',
      framework: ['Langflow'],
      usecases: ['Customer support'],
      categories: ['LLM', 'Condition', 'Human Input', 'Direct Reply'],
    })
    expect(JSON.parse((body[0] as BuiltInTemplate).flowData)).toMatchObject({
      nodes: expect.any(Array),
      edges: expect.any(Array),
    })
  })

  it('are listed without their documents in the gallery, which has each document on demand', async () => {
    const [first] = await gallery()
    expect(first).toMatchObject({ id: 'support-triage', isCustom: false, isStarter: true })
    expect(first).not.toHaveProperty('flowData')
    expect(first?.sketch.nodes.length).toBeGreaterThan(5)
    const { body } = await scene.call<TemplateDetail>('GET', '/marketplaces/gallery/support-triage')
    expect(JSON.parse(body.flowData ?? '').nodes.length).toBeGreaterThan(5)
    expect(body.question).toMatch(/billing/)
    expect((await scene.call('GET', '/marketplaces/gallery/no-such-template')).status).toBe(404)
  })
})

it('three templates fit what the workspace builds', async () => {
  const starters = async () =>
    (await scene.call<Gallery>('GET', '/marketplaces/gallery?starters=true', undefined, newcomer)).body.data
  const newcomer = await scene.heddle.signUp()
  expect((await starters()).map(({ isStarter }) => isStarter)).toEqual([true, true, true])
  const { body } = await scene.call<TemplateDetail>('GET', '/marketplaces/gallery/prompt-chaining')
  const flow = { name: 'Outlines', type: 'CHATFLOW', flowData: body.flowData }
  expect((await scene.call('POST', '/chatflows', flow, newcomer)).status).toBe(200)
  const fitting = await starters()
  expect(fitting[0]).toMatchObject({ id: 'prompt-chaining' })
  expect(fitting).toHaveLength(3)
  await scene.call('POST', '/chatflows', { ...flow, name: 'Prompt chaining' }, newcomer)
  expect((await starters()).map(({ id }) => id)).not.toContain('prompt-chaining')
})

it('templates to begin with are of the types that somebody may create flows of', async () => {
  const member = await scene.heddle.signUp()
  const { setPermissions } = await joinWorkspace(scene.heddle, member, scene.ann)
  const starters = async (...permissions: string[]) => {
    await setPermissions(['templates:marketplace', ...permissions])
    const { body } = await scene.call<Gallery>('GET', '/marketplaces/gallery?starters=true', undefined, member)
    return body.data.map(({ type }) => type)
  }
  expect(await starters('chatflows:create')).toEqual(['Chatflow', 'Chatflow', 'Chatflow'])
  expect(await starters('agentflows:create')).toEqual(['AgentflowV2', 'AgentflowV2', 'AgentflowV2'])
  expect(await starters('chatflows:view', 'agentflows:view')).toEqual([])
})

describe('custom templates', () => {
  it('are saved from a flow without credentials and secrets, listed, described anew and deleted', async () => {
    const { status, body } = await create({ description: 'Weaves', usecases: ['Cloth'], badge: 'OURS' })
    expect(status).toBe(200)
    const shown = { name: 'Loom', templateName: 'Loom', description: 'Weaves', usecases: ['Cloth'], badge: 'OURS' }
    expect(body).toMatchObject({ ...shown, type: 'AgentflowV2', categories: ['Agent', 'Direct Reply'] })
    expect(body.flowData).not.toContain(SECRET)
    expect(body.flowData).toContain('"modelName":"gpt"')
    expect((await scene.call<CustomTemplate[]>('GET', '/marketplaces/custom')).body).toEqual([body])
    expect((await gallery()).find(({ id }) => id === body.id)).toMatchObject({ isCustom: true, usecases: ['Cloth'] })

    const change = { name: 'Loom 2', description: '', usecases: [] }
    expect((await scene.call('PUT', `/marketplaces/custom/${body.id}`, change)).body).toMatchObject({
      templateName: 'Loom 2',
      description: null,
      usecases: [],
      badge: 'OURS',
    })
    expect((await scene.call('DELETE', `/marketplaces/custom/${body.id}`)).body).toEqual({ raw: [], affected: 1 })
    for (const [method, json] of [
      ['DELETE', undefined],
      ['PUT', change],
    ] as const)
      expect((await scene.call(method, `/marketplaces/custom/${body.id}`, json)).status).toBe(404)
    expect((await scene.call('GET', '/marketplaces/custom')).body).toEqual([])
  })

  it('are saved from a tool, with the parts that Flowise lists', async () => {
    const tool = { iconSrc: 'https://example.com/i.svg', schema: '[]', func: 'return 1', color: '#fff' }
    const { body } = await create({ type: 'Tool', chatflowId: undefined, tool })
    const { color: _, ...kept } = tool
    expect(body).toMatchObject({ type: 'Tool', categories: [], ...kept })
    expect(body).not.toHaveProperty('flowData')
    expect((await scene.call<TemplateDetail>('GET', `/marketplaces/gallery/${body.id}`)).body).toMatchObject({
      flowData: null,
      func: 'return 1',
    })
    await scene.call('DELETE', `/marketplaces/custom/${body.id}`)
  })

  it.each([
    ['no flow', { chatflowId: undefined }, 400, 'chatflowId'],
    ['a flow that does not exist', { chatflowId: '../../etc/passwd' }, 404, 'not found'],
    ['another type than the flow has', { type: 'Chatflow' }, 400, 'AgentflowV2'],
    ['an unknown type', { type: 'Spindle' }, 400, 'type'],
    ['a tool without parts', { type: 'Tool' }, 400, 'tool'],
    ['no name', { name: ' \t ' }, 400, 'Name is required'],
    ['a name of ten megabytes', { name: 'x'.repeat(10_000_000) }, 413, ''],
    ['a long name', { name: 'x'.repeat(201) }, 400, 'name'],
    ['too many use cases', { usecases: Array(21).fill('a') }, 400, 'usecases'],
    ['an empty use case', { usecases: [' '] }, 400, 'usecases'],
  ])('are refused with %s', async (_, body, status, words) => {
    const refused = await create(body)
    expect([refused.status, refused.body.message]).toEqual([status, expect.stringContaining(words)])
    expect((await scene.call('GET', '/marketplaces/custom')).body).toEqual([])
  })

  it.each([
    ['a path', '../../secrets.json'],
    ['markup', '<img src=x onerror=alert(1)>'],
    ['Arabic', 'قالب الدعم'],
    ['emoji', '🧵'.repeat(100)],
    ['quotes and a wildcard', `'; drop table custom_templates; -- %_`],
    ['a direction override', 'Invoice \u202Efdp.exe'],
  ])('keep a name with %s as it is', async (_, name) => {
    const { body } = await create({ name })
    expect(body.templateName).toBe(name)
    await scene.call('DELETE', `/marketplaces/custom/${body.id}`)
  })

  /** Stores copies of a template, of which the first is the newest. */
  async function copies(count: number, change: Partial<typeof customTemplates.$inferInsert> = {}) {
    const { id } = (await create({ name: 'Many of these' })).body
    const { database } = scene.heddle
    const [one] = await database.select().from(customTemplates).where(eq(customTemplates.id, id))
    await database.delete(customTemplates).where(eq(customTemplates.id, id))
    const rows = Array.from({ length: count }, (_, index) => ({
      ...(one as typeof customTemplates.$inferSelect),
      ...{ id: crypto.randomUUID(), name: `Many ${index}`, updatedDate: `2099-01-01T00:00:0${index % 10}.000Z` },
      ...change,
    }))
    for (let at = 0; at < count; at += 50) await database.insert(customTemplates).values(rows.slice(at, at + 50))
    return () => database.delete(customTemplates).where(like(customTemplates.name, 'Many %'))
  }

  it('have a sketch at any size, which the gallery shows without reading documents', async () => {
    const text = 'x'.repeat(512 * 1024)
    const flowId = await scene.save(chain(start(), directReply(text)), { name: 'Wide loom' })
    const { body: made } = await create({ chatflowId: flowId })
    const names = ['startAgentflow', 'directReplyAgentflow']
    const shown = async (): Promise<unknown> =>
      (await gallery()).find(({ id }) => id === made.id)?.sketch.nodes.map(({ name }) => name)
    expect([await shown(), made.categories]).toEqual([names, ['Direct Reply']])

    const { database } = scene.heddle
    const flow = { id: made.id, flowData: made.flowData }
    // As an earlier version saves it.
    await database.update(customTemplates).set({ summary: null }).where(eq(customTemplates.id, made.id))
    expect(await shown()).toEqual(names)
    const migration = join(import.meta.dirname, '../../../migrations/0053_template_summaries.sql')
    await database.run(sql.raw(readFileSync(migration, 'utf8').split('--> statement-breakpoint')[1] ?? ''))
    await scene.heddle.scheduled()
    await database.run(sql`update custom_templates set flow_data = 'no document'`)
    expect(await shown()).toEqual(names)

    const bundle = { CustomTemplate: [{ ...flow, id: crypto.randomUUID(), name: 'Brought', type: 'AgentflowV2' }] }
    expect((await scene.call('POST', '/export-import/import', bundle)).status).toBe(200)
    await database.run(sql`update custom_templates set flow_data = 'no document'`)
    const sketches = (await gallery()).filter(({ isCustom }) => isCustom).map(({ sketch }) => sketch.nodes.length)
    expect(sketches).toEqual([2, 2])
    await database.delete(customTemplates)
  })

  it('are a thousand in a workspace at most', async () => {
    const forget = await copies(999)
    const last = await create({ name: 'Many, the last' })
    expect(last.status).toBe(200)
    const refused = await create({})
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'A workspace can have 1,000 templates. Delete one first.',
    ])
    expect((await gallery()).filter(({ isCustom }) => isCustom)).toHaveLength(1000)
    await scene.call('DELETE', `/marketplaces/custom/${last.body.id}`)
    expect((await create({ name: 'Many, again' })).status).toBe(200)
    await scene.heddle.database.delete(customTemplates).where(like(customTemplates.name, 'Many, %'))
    await forget()
  })

  it('keep documents past 4 MB of a list to themselves', async () => {
    const flowData = JSON.stringify({ nodes: [], edges: [], padding: 'x'.repeat(768 * 1024) })
    const forget = await copies(8, { flowData })
    for (const query of ['', '?page=1&limit=8']) {
      const { body } = await scene.call<CustomTemplate[] & { data?: CustomTemplate[] }>(
        'GET',
        `/marketplaces/custom${query}`,
      )
      const many = (body.data ?? body).filter(({ name }) => name.startsWith('Many '))
      expect(many.map((template) => template.flowData?.length)).toEqual([
        ...Array(5).fill(flowData.length),
        ...Array(3).fill(undefined),
      ])
    }
    await forget()
  })

  it('are listed in pages, and the newest hundred without', async () => {
    const { id } = (await create({ name: 'Many of these' })).body
    const [one] = await scene.heddle.database.select().from(customTemplates).where(eq(customTemplates.id, id))
    const rows = Array.from({ length: 120 }, (_, index) => ({
      ...(one as typeof customTemplates.$inferSelect),
      ...{ id: crypto.randomUUID(), name: `Many ${index}`, updatedDate: `2099-01-01T00:00:00.${200 + index}Z` },
    }))
    await scene.heddle.database.insert(customTemplates).values(rows)
    const list = async (query: string) =>
      (await scene.call<CustomTemplate[]>('GET', `/marketplaces/custom${query}`)).body
    const newest = await list('')
    expect([newest.length, newest[0]?.name]).toEqual([100, 'Many 119'])
    const page = (await list('?page=2&limit=50')) as unknown as { data: CustomTemplate[]; total: number }
    expect([page.data.length, page.data[0]?.name]).toEqual([50, 'Many 69'])
    expect(page.total).toBeGreaterThanOrEqual(120)
    const most = (await list('?page=1&limit=1000')) as unknown as { data: CustomTemplate[] }
    expect(most.data).toHaveLength(100)
    await scene.heddle.database.delete(customTemplates).where(like(customTemplates.name, 'Many %'))
  })

  it('belong to their workspace', async () => {
    const { body } = await create({})
    const outsider = await scene.heddle.signUp()
    expect((await gallery(outsider)).filter(({ isCustom }) => isCustom)).toEqual([])
    const asOutsider = async (method: string, path: string, json?: object) =>
      (await scene.call(method, `/marketplaces/${path}`, json, outsider)).status
    expect((await scene.call('GET', '/marketplaces/custom', undefined, outsider)).body).toEqual([])
    expect(await asOutsider('GET', `gallery/${body.id}`)).toBe(404)
    expect(await asOutsider('PUT', `custom/${body.id}`, { name: 'Mine' })).toBe(404)
    expect(await asOutsider('DELETE', `custom/${body.id}`)).toBe(404)
    expect(await asOutsider('POST', 'custom', { name: 'Theirs', type: 'AgentflowV2', chatflowId: flowId })).toBe(404)
    expect((await scene.call('DELETE', `/marketplaces/custom/${body.id}`)).status).toBe(200)
  })
})

it('a member sees the templates of each permission, and makes none of a flow that they may not view', async () => {
  const { body: own } = await create({})
  const member = await scene.heddle.signUp()
  const { setPermissions } = await joinWorkspace(scene.heddle, member, scene.ann)
  const seen = async () => new Set((await gallery(member)).map(({ isCustom }) => isCustom))
  const detail = async (id: string) =>
    (await scene.call('GET', `/marketplaces/gallery/${id}`, undefined, member)).status
  await setPermissions(['templates:marketplace'])
  expect([await seen(), await detail('support-triage'), await detail(own.id)]).toEqual([new Set([false]), 200, 404])
  await setPermissions(['templates:custom', 'templates:create'])
  expect([await seen(), await detail('support-triage'), await detail(own.id)]).toEqual([new Set([true]), 404, 200])
  const body = { name: 'Loom', type: 'AgentflowV2', chatflowId: flowId }
  expect((await scene.call('POST', '/marketplaces/custom', body, member)).status).toBe(403)
  await setPermissions(['agentflows:view', 'templates:create'])
  expect((await scene.call('POST', '/marketplaces/custom', body, member)).status).toBe(200)
})
