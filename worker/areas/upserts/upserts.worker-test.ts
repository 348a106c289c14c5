// @defends caller-puts-files
// @defends anonymous-records
/** Vector stores of chat flows are filled through the API, and what they hold is found by questions. */
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { AcceptedJob } from '#contract/document-stores/jobs.ts'
import type { FlowUpsert, FlowUpsertHistory, FlowUpsertJob } from '#contract/upserts/upserts.ts'
import { executions, rateLimits, upsertHistory, upsertJobs, upsertRecords } from '#db/schema/index.ts'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { type EmbeddingsServer, startEmbeddingsServer } from '../../../e2e/support/embeddings-server.ts'
import { drawChat, type Inputs } from '../../nodes/chatflow/testing/chat.ts'
import { startScriptedServer } from '../document-stores/jobs/testing/scripted-server.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

interface Point {
  id: string
  payload: { content: string; metadata: Record<string, unknown> }
}

let scene: Scene
let embeddings: EmbeddingsServer
let qdrant: Awaited<ReturnType<typeof startScriptedServer>>
let bob: TestClient
let points: Map<string, Point>

beforeAll(async () => {
  embeddings = await startEmbeddingsServer()
  points = new Map()
  qdrant = await startScriptedServer(({ what, body }) => {
    if (what.startsWith('PUT')) for (const point of body.points as Point[]) points.set(point.id, point)
    if (what.endsWith('/delete')) for (const id of body.points as string[]) points.delete(id)
    const found = [...points.values()].slice(0, body?.limit).map((point) => ({ ...point, score: 1 }))
    return { body: { result: { points: found } } }
  })
  scene = await openScene({ allowPrivateHosts: `${embeddings.host},${qdrant.host}`, anonymousMbPerDay: '1' })
  bob = await scene.heddle.signUp()
})
afterEach(async () => {
  points.clear()
  qdrant.asked.length = 0
  embeddings.requests.length = 0
  await scene.heddle.database.delete(rateLimits)
})
afterAll(async () => {
  await scene.close()
  await Promise.all([embeddings.close(), qdrant.close()])
})

interface Drawing {
  text?: string
  loader?: string
  cleanup?: string
  more?: object
}

/** A chat flow that answers from a vector store elsewhere, which holds what its loader reads. */
async function save({ text = 'Wool is warm', loader = 'plainText', cleanup, more = {} }: Drawing = {}) {
  return scene.save(draw({ text, loader, ...(cleanup && { cleanup }) }), { type: 'CHATFLOW', ...more })
}

function draw({ text, loader, cleanup }: { text: string; loader: string; cleanup?: string }) {
  const inputs: Record<string, Inputs> = {
    store: { qdrantServerUrl: qdrant.url, qdrantCollection: 'texts' },
    embedder: { modelName: 'test', basepath: embeddings.baseUrl },
    model: { modelName: 'gpt-4o-mini', basepath: scene.model.baseUrl },
  }
  return drawChat(
    {
      [`${loader}_0`]: { inputs: loader === 'plainText' ? { text } : {} },
      openAIEmbeddingsCustom_0: { inputs: inputs.embedder as Inputs },
      qdrant_0: { inputs: inputs.store as Inputs },
      chatOpenAICustom_0: { inputs: inputs.model as Inputs },
      retrievalQAChain_0: {},
      ...(cleanup && { SQLiteRecordManager_0: { inputs: { cleanup } } }),
    },
    [
      `${loader}_0 > qdrant_0.document`,
      'openAIEmbeddingsCustom_0 > qdrant_0.embeddings',
      ...(cleanup ? ['SQLiteRecordManager_0 > qdrant_0.recordManager'] : []),
      'chatOpenAICustom_0 > retrievalQAChain_0.model',
      'qdrant_0 > retrievalQAChain_0.vectorStoreRetriever',
    ],
  )
}

type Answer = FlowUpsert & { message: string; field?: string }

const internally = (id: string, json: object = {}, client = scene.ann) =>
  scene.call<Answer>('POST', `/vector/internal-upsert/${id}`, json, client)

async function fromOutside(
  id: string,
  { json = {}, files = [], key }: { json?: object; files?: File[]; key?: string },
) {
  const form = new FormData()
  for (const file of files) form.append('files', file)
  const init = files.length > 0 ? { body: form } : { body: JSON.stringify(json) }
  const headers: Record<string, string> = {
    ...(files.length === 0 && { 'content-type': 'application/json' }),
    ...(key && { authorization: `Bearer ${key}` }),
  }
  const response = await scene.heddle.fetch(`/api/v1/vector/upsert/${id}`, { method: 'POST', headers, ...init })
  const text = await response.text()
  return { status: response.status, body: (text.startsWith('{') ? JSON.parse(text) : text) as Answer }
}

async function keyWith(permissions: string[], client = scene.ann): Promise<string> {
  const body = { keyName: 'k', permissions }
  return (await scene.call<{ apiKey: string }>('POST', '/apikey', body, client)).body.apiKey
}

const history = async (id: string, client = scene.ann) =>
  scene.call<FlowUpsertHistory[]>('GET', `/upsert-history/${id}`, undefined, client)
const texts = () => [...points.values()].map(({ payload }) => payload.content)
const file = (text: string, name = 'notes.txt') => new File([text], name, { type: 'text/plain' })
const allowing = (status: boolean) =>
  JSON.stringify({
    overrideConfig: { status, nodes: { 'Text File': [{ name: 'txtFile', enabled: true }] }, variables: [] },
  })

describe('an upsert of a flow', () => {
  it('writes its documents elsewhere, where its questions find them', async () => {
    const id = await save({ text: 'Wool is warm' })
    const { status, body } = await internally(id)
    expect([status, body]).toEqual([
      200,
      {
        ...{ numAdded: 1, numDeleted: 0, numUpdated: 0, numSkipped: 0 },
        addedDocs: [{ pageContent: 'Wool is warm', metadata: expect.anything() }],
      },
    ])
    expect(texts()).toEqual(['Wool is warm'])
    scene.model.reply({ text: 'Warm' })
    expect((await scene.ask(id, { question: 'How is wool?' })).body.text).toBe('Warm')
    expect(JSON.stringify(scene.model.requests.at(-1)?.body.messages)).toContain('Wool is warm')
    expect(qdrant.asked.filter(({ what }) => what.startsWith('PUT'))).toHaveLength(1)
  })

  it('answers nothing, asks no model, and leaves neither a run nor a message', async () => {
    const id = await save()
    const before = scene.model.requests.length
    await internally(id)
    expect(scene.model.requests).toHaveLength(before)
    const runs = await scene.heddle.database.select().from(executions).where(eq(executions.agentflowId, id))
    expect(runs).toEqual([])
  })

  it('a failed upsert says why and leaves no entry in the history', async () => {
    const id = await save()
    embeddings.refuse({ status: 401, message: 'Incorrect API key' })
    const { status, body } = await internally(id)
    expect(status).toBe(500)
    expect(body.message).toContain('Incorrect API key')
    expect((await history(id)).body).toEqual([])
  })

  it('an upsert of a flow without documents, or of another kind, says what to do', async () => {
    const { nodes, edges } = draw({ text: 'x', loader: 'plainText' })
    const unlinked = { nodes, edges: edges.filter(({ target }) => target !== 'qdrant_0') }
    const id = await scene.save(unlinked, { type: 'CHATFLOW' })
    expect((await internally(id)).body).toMatchObject({ statusCode: 400, message: 'Connect documents to Qdrant' })
    const agent = await scene.save({ nodes: [], edges: [] })
    expect((await internally(agent)).body.message).toBe('Only chat flows have vector stores to fill')
  })

  it('with a record manager writes nothing twice and deletes what has gone', async () => {
    const id = await save({ text: 'one', cleanup: 'full' })
    expect((await internally(id)).body).toMatchObject({ numAdded: 1, numSkipped: 0 })
    expect((await internally(id)).body).toMatchObject({ numAdded: 0, numSkipped: 1, numDeleted: 0, addedDocs: [] })
    const flowData = JSON.stringify(draw({ text: 'two', loader: 'plainText', cleanup: 'full' }))
    await scene.call('PUT', `/chatflows/${id}`, { flowData })
    expect((await internally(id)).body).toMatchObject({ numAdded: 1, numSkipped: 0, numDeleted: 1 })
    expect(texts()).toEqual(['two'])
    const kept = await scene.heddle.database.select().from(upsertRecords).where(eq(upsertRecords.chatflowid, id))
    expect(kept.map(({ id: key }) => key)).toEqual([...points.keys()])
  })
})

describe('callers of an upsert', () => {
  it('are those whom the flow lets in', async () => {
    const closed = await save({ more: { callers: 'keys' } })
    expect((await fromOutside(closed, {})).status).toBe(401)
    expect((await fromOutside(closed, { key: await keyWith(['variables:view']) })).status).toBe(403)
    expect((await fromOutside(closed, { key: await keyWith(['chatflows:view'], bob) })).status).toBe(401)
    expect(points.size).toBe(0)
    expect((await fromOutside(closed, { key: await keyWith(['chatflows:view']) })).status).toBe(200)
    expect(points.size).toBe(1)
  })

  it('may be anonymous where the flow is for everyone, and are not shown what was written', async () => {
    const open = await save()
    expect((await fromOutside(open, {})).body).toEqual({
      ...{ numAdded: 1, numDeleted: 0, numUpdated: 0, numSkipped: 0 },
      addedDocs: [],
    })
    const key = await keyWith(['chatflows:view'])
    expect((await fromOutside(open, { key })).body.addedDocs).toHaveLength(1)
  })

  it('are refused once anonymous ones have used up what the workspace keeps of them in a day', async () => {
    const id = await save({ text: Array.from({ length: 60_000 }, (_, at) => at).join(' ') })
    const statuses: number[] = []
    while (statuses.at(-1) !== 429 && statuses.length < 8) statuses.push((await fromOutside(id, {})).status)
    expect(statuses.slice(0, 2)).toEqual([200, 200])
    expect(statuses.at(-1)).toBe(429)
    expect((await fromOutside(id, { key: await keyWith(['chatflows:view']) })).status).toBe(200)
  })

  it('are members of its workspace only, through the page', async () => {
    const id = await save({ more: { callers: 'members' } })
    expect((await internally(id, {}, bob)).status).toBe(404)
    expect((await internally(id, {}, scene.heddle.newClient())).status).toBe(401)
    expect((await internally(id)).status).toBe(200)
  })

  it('are held to the limit of calls that the flow’s owner set', async () => {
    const rateLimit = { status: true, limitMax: 1, limitDuration: 3600, limitMsg: 'Slow down' }
    const id = await save({ more: { apiConfig: JSON.stringify({ rateLimit }) } })
    await fromOutside(id, {})
    expect(await fromOutside(id, {})).toEqual({ status: 429, body: 'Slow down' })
  })

  it('get an own limit where the owner set none', async () => {
    const id = await save({ text: '' })
    const statuses: number[] = []
    for (let at = 0; at < 31; at++) statuses.push((await fromOutside(id, {})).status)
    expect([statuses[29], statuses[30]]).toEqual([500, 429])
  })
})

describe('an upsert that nobody waits for', () => {
  /** Three files, of which each is a request to the embedder. */
  async function saveThree() {
    const flow = draw({ text: '', loader: 'textFile' })
    const inputsOf = (id: string) => flow.nodes.find((node) => node.id === id)?.data.inputs ?? {}
    const sent = ['One', 'Two', 'Three'].map((text) => `data:text/plain;base64,${btoa(text)},filename:${text}.txt`)
    inputsOf('textFile_0').txtFile = JSON.stringify(sent)
    inputsOf('openAIEmbeddingsCustom_0').batchSize = 1
    return scene.save(flow, { type: 'CHATFLOW' })
  }

  const path = (id: string) => `/vector/internal-upsert/${id}`
  const start = (id: string, client = scene.ann, body: object = {}) =>
    scene.call<AcceptedJob & { message: string }>('POST', `${path(id)}?async=true`, body, client)
  const cancel = (id: string, client = scene.ann) => scene.call<FlowUpsertJob>('DELETE', path(id), undefined, client)
  const jobOf = async (id: string) => (await scene.call<{ job: FlowUpsertJob | null }>('GET', path(id))).body.job
  const ended = (id: string, state: FlowUpsertJob['state']) =>
    expect.poll(async () => (await jobOf(id))?.state, { timeout: 10_000 }).toBe(state)
  const change = (id: string, values: Partial<typeof upsertJobs.$inferInsert>) =>
    scene.heddle.database.update(upsertJobs).set(values).where(eq(upsertJobs.chatflowid, id))

  async function rowOf(id: string): Promise<typeof upsertJobs.$inferSelect> {
    const [row] = await scene.heddle.database.select().from(upsertJobs).where(eq(upsertJobs.chatflowid, id))
    if (!row) throw new Error('The flow has no upsert')
    return row
  }

  it('is accepted at once, says how far it is, and ends with what it did', async () => {
    const id = await saveThree()
    expect(await jobOf(id)).toBeNull()
    const held = embeddings.hold(1)
    const { status, body } = await start(id)
    expect([status, body]).toEqual([
      202,
      { jobId: expect.any(String), statusUrl: `/api/v1/vector/internal-upsert/${id}` },
    ])
    await held
    await expect
      .poll(async () => (await jobOf(id))?.progress, { timeout: 10_000 })
      .toEqual({ sources: 3, chunks: 3, done: 1, tokens: 3 })
    expect(await jobOf(id)).toMatchObject({ id: body.jobId, state: 'running', result: null, endedDate: null })
    embeddings.release()
    await ended(id, 'done')
    expect(await jobOf(id)).toMatchObject({
      result: { numAdded: 3, numDeleted: 0, numUpdated: 0, numSkipped: 0 },
      progress: { sources: 3, chunks: 3, done: 3, tokens: 9 },
    })
    expect((await history(id)).body).toHaveLength(1)
  })

  it('is started from outside with a key, reads what is published, and is followed at its address', async () => {
    const id = await save({ text: 'Published', more: { callers: 'keys' } })
    await scene.call('POST', `/chatflows/${id}/publish`, {})
    await scene.call('PUT', `/chatflows/${id}`, {
      flowData: JSON.stringify(draw({ text: 'Draft', loader: 'plainText' })),
    })
    const authorization = `Bearer ${await keyWith(['chatflows:view'])}`
    const ask = (method: string, at: string) => scene.heddle.fetch(at, { method, headers: { authorization } })
    const response = await ask('POST', `/api/v1/vector/upsert/${id}?async=true`)
    const accepted = (await response.json()) as AcceptedJob
    expect([response.status, accepted]).toEqual([202, { jobId: expect.any(String), statusUrl: expect.any(String) }])
    const followed = async () => (await (await ask('GET', accepted.statusUrl)).json()) as { job: FlowUpsertJob }
    await expect.poll(async () => (await followed()).job.state, { timeout: 10_000 }).toBe('done')
    expect((await followed()).job).toMatchObject({ id: accepted.jobId, result: { numAdded: 1 } })
    expect(texts()).toEqual(['Published'])
  })

  it('is not for anonymous callers, and takes no files and no overrides from outside', async () => {
    const id = await save({ loader: 'textFile', more: { apiConfig: allowing(true) } })
    const at = `${id}?async=true`
    const key = await keyWith(['chatflows:view'])
    const anonymous = await fromOutside(at, {})
    expect([anonymous.status, anonymous.body.message]).toEqual([401, expect.stringContaining('send an API key')])
    for (const sent of [{ files: [file('Silk')] }, { json: { overrideConfig: { txtFile: 'x' } } }])
      expect(await fromOutside(at, { ...sent, key })).toMatchObject({ status: 400 })
    expect([await jobOf(id), points.size]).toEqual([null, 0])
  })

  it('is the only one of its flow, and the next takes its place', async () => {
    const id = await saveThree()
    const held = embeddings.hold()
    const started = await Promise.all([start(id), start(id)])
    expect(started.map(({ status }) => status).sort()).toEqual([202, 409])
    await held
    embeddings.release()
    await ended(id, 'done')
    expect((await start(id)).status).toBe(202)
    await ended(id, 'done')
    expect((await history(id)).body).toHaveLength(2)
  })

  it('ends when it is cancelled: what was written stays, and nothing follows', async () => {
    const id = await saveThree()
    const held = embeddings.hold(1)
    await start(id)
    await held
    onTestFinished(() => embeddings.release())
    let isAbandoned = false
    void embeddings.abandoned().then(() => {
      isAbandoned = true
    })
    expect((await cancel(id)).body).toMatchObject({ state: 'cancelled', endedDate: expect.any(String) })
    await expect.poll(() => isAbandoned, { timeout: 10_000 }).toBe(true)
    embeddings.release()
    expect(embeddings.requests).toEqual([['One']])
    expect(texts()).toEqual(['One'])
    expect((await history(id)).body).toEqual([])
    expect((await cancel(id)).status).toBe(404)
  })

  it('says what failed, and refuses what it cannot do before it begins', async () => {
    const id = await saveThree()
    embeddings.refuse({ status: 401, message: 'Incorrect API key' })
    await start(id)
    await ended(id, 'failed')
    expect((await jobOf(id))?.reason).toContain('Incorrect API key')
    const overridden = await start(id, scene.ann, { overrideConfig: { x: 1 } })
    expect([overridden.status, overridden.body.message]).toEqual([400, expect.stringContaining('without it')])
    const empty = await scene.save({ nodes: [], edges: [] }, { type: 'CHATFLOW' })
    expect((await start(empty)).status).toBe(400)
  })

  it('is gone on with by the minute job when its worker has died, and given up in the end', async () => {
    const id = await saveThree()
    const left = { state: 'running' as const, endedDate: null, result: null, leaseUntil: '2026-01-01T00:00:00.000Z' }
    await start(id)
    await ended(id, 'done')
    await change(id, left)
    await scene.heddle.scheduled(new Date())
    await ended(id, 'done')
    await change(id, { ...left, attempt: 3 })
    await scene.heddle.scheduled(new Date(Date.now() + 120_000))
    await ended(id, 'failed')
    expect((await jobOf(id))?.reason).toContain('The worker stopped again and again')
  })

  it('is left to the worker that has it while its lease runs', async () => {
    const id = await saveThree()
    const held = embeddings.hold()
    await start(id)
    await held
    const leaseUntil = async () => String((await rowOf(id)).leaseUntil)
    const first = await leaseUntil()
    await scene.heddle.scheduled(new Date(Date.now() + 120_000))
    await expect.poll(async () => (await leaseUntil()) > first, { timeout: 10_000 }).toBe(true)
    expect(await rowOf(id)).toMatchObject({ state: 'running', attempt: 1 })
    embeddings.release()
    await ended(id, 'done')
    expect((await history(id)).body).toHaveLength(1)
  })

  it('is left by a worker that has lost it, which writes nothing more', async () => {
    const id = await saveThree()
    const held = embeddings.hold(1)
    await start(id)
    await held
    const abandoned = embeddings.abandoned()
    await change(id, { attempt: 2 })
    await abandoned
    embeddings.release()
    expect(texts()).toEqual(['One'])
    expect(await rowOf(id)).toMatchObject({ state: 'running', attempt: 2, endedDate: null })
    expect((await history(id)).body).toEqual([])
  })

  it('is seen, started and cancelled by members who may', async () => {
    const id = await saveThree()
    const held = embeddings.hold()
    expect((await start(id, bob)).status).toBe(404)
    await start(id)
    await held
    expect((await scene.call('GET', path(id), undefined, bob)).status).toBe(404)
    expect((await cancel(id, bob)).status).toBe(404)
    const asHolder = async (method: string, permission: string) => {
      const headers = { authorization: `Bearer ${await keyWith([permission])}` }
      return (await scene.heddle.fetch(`/api/v1${path(id)}`, { method, headers })).status
    }
    expect(await asHolder('GET', 'chatflows:view')).toBe(200)
    expect(await asHolder('GET', 'agentflows:view')).toBe(403)
    expect(await asHolder('DELETE', 'chatflows:view')).toBe(403)
    expect(await asHolder('DELETE', 'agentflows:update')).toBe(403)
    const abandoned = embeddings.abandoned()
    expect((await cancel(id)).status).toBe(200)
    await abandoned
    embeddings.release()
  })
})

describe('files of an upsert', () => {
  it('take the place of those of its loader, for members', async () => {
    const id = await save({ loader: 'textFile' })
    const form = new FormData()
    form.append('files', file('Silk is cool'))
    const response = await scene.ann.fetch(`/api/v1/vector/internal-upsert/${id}`, { method: 'POST', body: form })
    expect(response.status).toBe(200)
    expect(texts()).toEqual(['Silk is cool'])
  })

  it.each([true, false])('come from callers where the owner allows that: %s', async (status) => {
    const id = await save({ loader: 'textFile', more: { apiConfig: allowing(status) } })
    const answered = await fromOutside(id, { files: [file('Silk is cool')] })
    expect(answered.status).toBe(status ? 200 : 400)
    expect(texts()).toEqual(status ? ['Silk is cool'] : [])
    if (!status) expect(answered.body.message).toContain('Its owner can allow them under Share')
  })

  it('names the files that no loader reads when it refuses them', async () => {
    const id = await save({ loader: 'textFile', more: { apiConfig: allowing(true) } })
    const { status, body } = await fromOutside(id, { files: [file('x', 'photo.png')] })
    expect([status, body.field]).toEqual([400, 'files.0'])
    expect(body.message).toContain('photo.png: no loader of this flow reads such files')
  })
})

describe('the history of upserts', () => {
  it('is listed newest first, with what took part and without secrets, and entries are deleted', async () => {
    const id = await save()
    await internally(id)
    await internally(id)
    const { body } = await history(id)
    expect(body).toHaveLength(2)
    expect(body[0]).toMatchObject({
      chatflowid: id,
      result: { numAdded: 1, numDeleted: 0, numUpdated: 0, numSkipped: 0 },
    })
    expect(body[0]?.result).not.toHaveProperty('addedDocs')
    expect(body[0]?.flowData.map(({ id: node }) => node).sort()).toEqual([
      'openAIEmbeddingsCustom_0',
      'plainText_0',
      'qdrant_0',
    ])
    const ids = [body[0]?.id]
    expect((await scene.call('PATCH', '/upsert-history', { ids }, bob)).body).toMatchObject({ affected: 0 })
    expect((await scene.call('PATCH', `/upsert-history/${id}`, { ids })).body).toMatchObject({ affected: 1 })
    expect((await history(id)).body.map((entry) => entry.id)).toEqual([body[1]?.id])
  })

  it('is for members of the workspace who may view the flow', async () => {
    const id = await save()
    await internally(id)
    expect((await history(id, bob)).body).toEqual([])
    const weak = await keyWith(['agentflows:view'])
    const headers = { authorization: `Bearer ${weak}` }
    expect((await scene.heddle.fetch(`/api/v1/upsert-history/${id}`, { headers })).status).toBe(403)
  })

  it('goes with its flow', async () => {
    const id = await save({ cleanup: 'none' })
    await internally(id)
    await scene.call('POST', `/vector/internal-upsert/${id}?async=true`, {})
    await scene.call('DELETE', `/chatflows/${id}`)
    const { database } = scene.heddle
    expect(await database.select().from(upsertJobs).where(eq(upsertJobs.chatflowid, id))).toEqual([])
    expect(await database.select().from(upsertHistory).where(eq(upsertHistory.chatflowid, id))).toEqual([])
    expect(await database.select().from(upsertRecords).where(eq(upsertRecords.chatflowid, id))).toEqual([])
  })
})
