/** The source files of a flow: kept byte by byte with each version, and nobody else's. */
// @defends source-files-elsewhere
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import { FILE_QUOTA_BYTES } from '#contract/files/files.ts'
import { MAX_SOURCE_BYTES, MAX_SOURCES, type SourceFile } from '#contract/flow/sources.ts'
import { fileDeletions, files, flowSources, flowVersions } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { fileKey } from '#worker/ports/file-storage.ts'
import { send, until } from '../export-import/large/testing/files.ts'
import { openSource } from './sources.ts'
import { KEPT_VERSIONS } from './version-statements.ts'

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp({ name: 'Ann' })
  bob = await heddle.signUp({ name: 'Bob' })
})
afterAll(() => heddle.close())

const dataOf = (title: string) =>
  JSON.stringify({
    nodes: [
      {
        id: 'startAgentflow_0',
        type: 'agentFlow',
        position: { x: 0, y: 0 },
        data: { id: 'startAgentflow_0', name: 'startAgentflow', label: title, inputs: {} },
      },
    ],
    edges: [],
  })

const file = (name: string, content: string | Uint8Array): SourceFile => ({
  name,
  data: Buffer.from(content as string).toString('base64'),
})
const a = file('agents/root.yaml', 'name: root # of all\r\n')
const b = file('agents/root.yaml', 'name: other\n')

async function create(
  sources?: SourceFile[],
  { client = ann, ...more }: { client?: TestClient; copyOf?: string } = {},
) {
  const json = { name: 'From a file', flowData: dataOf('1'), type: 'AGENTFLOW', sources, ...more }
  const { status, body, text } = await call(client, 'POST', '/chatflows', json)
  expect([status, status === 200 ? '' : text]).toEqual([200, ''])
  return body as Chatflow
}

const save = (id: string, change: object) => call(ann, 'PUT', `/chatflows/${id}`, change)
const sourcesOf = async (id: string, client = ann) => (await call(client, 'GET', `/chatflows/${id}/sources`)).body
const sourcesAt = async (id: string, version: number) =>
  (await call(ann, 'GET', `/chatflows/${id}/versions/${version}/sources`)).body
const rowsOf = (id: string) => heddle.database.select().from(flowSources).where(eq(flowSources.flowId, id))
const keyOf = ({ workspaceId, objectId: id }: { workspaceId: string; objectId: string }) => fileKey({ workspaceId, id })
const usedBytes = async (client = ann) => (await call(client, 'GET', '/files')).body.usedBytes as number
const isStored = async (key: string) => (await (await heddle.openBucket()).get(key)) !== null

/** What the minute job deletes when everything that is listed is due. */
async function deletedKeys() {
  const due = await heddle.database.select().from(fileDeletions).where(eq(fileDeletions.dueDate, ''))
  return due.map(({ key }) => key)
}

describe('the source files of a flow', () => {
  it('come back byte by byte', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256)
    const sources = [file('empty.txt', ''), file('src/agent.py', '# ä€🧵\r\n\tpass'), file('weights.bin', bytes)]
    const { id } = await create(sources)
    expect(await sourcesOf(id)).toEqual(sources)
    expect((await rowsOf(id)).map(({ name, size }) => [name, size])).toEqual([
      ['empty.txt', 0],
      ['src/agent.py', 18],
      ['weights.bin', 70_000],
    ])
  })

  it('are kept with each version, and come back with a version that is restored', async () => {
    const { id } = await create([a])
    const saved = await save(id, { flowData: dataOf('2'), sources: [b] })
    expect([await sourcesAt(id, 1), await sourcesAt(id, 2), await sourcesOf(id)]).toEqual([[a], [b], [b]])
    const { body: first } = await call(ann, 'GET', `/chatflows/${id}/versions/1`)
    const { digest } = openSource(a)
    expect(first.sources).toEqual([{ name: a.name, size: Buffer.from(a.data, 'base64').length, digest }])
    const restored = await call(ann, 'POST', `/chatflows/${id}/versions/1/restore`, { version: saved.body.version })
    expect([restored.status, restored.body.version]).toEqual([200, 3])
    expect([await sourcesOf(id), await sourcesAt(id, 2), await sourcesAt(id, 3)]).toEqual([[a], [b], [a]])
  })

  it('stay with a save that sends none, and go with one that sends an empty list', async () => {
    const { id } = await create([a])
    await save(id, { flowData: dataOf('2') })
    expect(await sourcesAt(id, 2)).toEqual([a])
    await save(id, { name: 'Renamed' })
    expect(await sourcesOf(id)).toEqual([a])
    await save(id, { flowData: dataOf('4'), sources: [] })
    expect([await sourcesOf(id), await sourcesAt(id, 2)]).toEqual([[], [a]])
    await save(id, { flowData: dataOf('5') })
    expect(await sourcesOf(id)).toEqual([])
  })

  it('make a version of their own where nodes and edges stay, but not when they are the same', async () => {
    const { id } = await create([a])
    await save(id, { flowData: dataOf('1'), sources: [a] })
    await save(id, { flowData: dataOf('1'), sources: [b] })
    await save(id, { flowData: dataOf('1'), sources: [b, file('more.txt', 'x')] })
    const { data } = (await call(ann, 'GET', `/chatflows/${id}/versions`)).body
    expect(data.map(({ version }: { version: number }) => version)).toEqual([4, 3, 1])
    expect([await sourcesAt(id, 3), (await sourcesAt(id, 4)).length]).toEqual([[b], 2])
    await call(ann, 'POST', `/chatflows/${id}/versions/1/restore`, {})
    expect(await sourcesOf(id)).toEqual([a])
  })

  it('are not changed by a refused save', async () => {
    const { id } = await create([a])
    await save(id, { name: 'Two' })
    const refused = await save(id, { flowData: dataOf('1'), sources: [b], version: 1 })
    expect(refused.status).toBe(409)
    expect([await sourcesOf(id), (await rowsOf(id)).length]).toEqual([[a], 1])
    expect((await call(ann, 'GET', `/chatflows/${id}/versions`)).body.total).toBe(1)
  })

  it('go with a copy, whose own changes leave the original as it is', async () => {
    const { id } = await create([a])
    const copy = await create(undefined, { copyOf: id })
    expect(await sourcesOf(copy.id)).toEqual([a])
    await save(copy.id, { flowData: dataOf('2'), sources: [b] })
    expect([await sourcesOf(id), await sourcesOf(copy.id)]).toEqual([[a], [b]])
    const other = await create([b], { copyOf: id })
    expect(await sourcesOf(other.id)).toEqual([b])
  })
})

describe('their bytes', () => {
  it('are stored once for all versions and copies, and counted once in the quota', async () => {
    const before = await usedBytes()
    const once = file('once.bin', crypto.getRandomValues(new Uint8Array(5000)))
    const { id } = await create([once])
    await save(id, { flowData: dataOf('2') })
    const copy = await create(undefined, { copyOf: id })
    const again = await create([once, { ...once, name: 'twice.bin' }])
    const rows = [...(await rowsOf(id)), ...(await rowsOf(copy.id)), ...(await rowsOf(again.id))]
    expect([rows.length, new Set(rows.map(({ objectId }) => objectId)).size]).toEqual([5, 1])
    expect(await usedBytes()).toBe(before + 5000)
  })

  it('go with the last version that has them, and not before', async () => {
    const only = file('only.bin', crypto.getRandomValues(new Uint8Array(100)))
    const { id } = await create([only])
    const copy = await create(undefined, { copyOf: id })
    const [row] = await rowsOf(id)
    const key = keyOf(row as NonNullable<typeof row>)
    expect(await isStored(key)).toBe(true)
    await call(ann, 'DELETE', `/chatflows/${id}`)
    expect([await rowsOf(id), await deletedKeys()]).toEqual([[], expect.not.arrayContaining([key])])
    expect(await sourcesOf(copy.id)).toEqual([only])
    await call(ann, 'DELETE', `/chatflows/${copy.id}`)
    expect(await deletedKeys()).toContain(key)
    await heddle.scheduled()
    expect(await isStored(key)).toBe(false)
  })

  it('go with versions that are pruned', async () => {
    const { id } = await create([file('old.bin', crypto.getRandomValues(new Uint8Array(10)))])
    const [old] = await rowsOf(id)
    await save(id, { flowData: dataOf('2'), sources: [a] })
    await heddle.database.run(sql`insert into ${flowVersions}
      (id, workspace_id, flow_id, version, flow_data, created_date)
      with recursive numbers(n) as (select 3 union all select n + 1 from numbers where n < ${KEPT_VERSIONS + 1})
      select ${id} || '@' || n, ${old?.workspaceId}, ${id}, n, 'x' || n, '' from numbers`)
    await heddle.database.run(sql`update chatflows set version = ${KEPT_VERSIONS + 1} where id = ${id}`)
    await save(id, { flowData: dataOf('3') })
    const left = (await rowsOf(id)).map(({ versionId }) => versionId)
    expect(left).not.toContain(`${id}@1`)
    expect(await deletedKeys()).toContain(keyOf(old as NonNullable<typeof old>))
  })

  it('are deleted after a save that changed nothing, once it is sure that no save uses them', async () => {
    const { id } = await create([a])
    const listed = async () => (await heddle.database.select().from(fileDeletions)).map(({ key }) => key)
    const before = new Set(await listed())
    await save(id, { flowData: dataOf('1'), sources: [a] })
    const [added, ...others] = (await listed()).filter((key) => !before.has(key))
    expect([await isStored(added as string), others]).toEqual([true, []])
    await heddle.database.update(fileDeletions).set({ dueDate: '' })
    await heddle.scheduled()
    expect([await isStored(added as string), await sourcesOf(id)]).toEqual([false, [a]])
  })

  it('past the quota of the workspace are refused, unless the workspace has them already', async () => {
    const carl = await heddle.signUp({ name: 'Carl' })
    const flow = await create([a], { client: carl })
    const [row] = await rowsOf(flow.id)
    const { workspaceId } = row as NonNullable<typeof row>
    await heddle.database.insert(files).values({
      ...{ id: 'full', workspaceId, chatflowid: flow.id, chatId: 'x', name: 'full', mime: 'text/plain' },
      ...{ size: FILE_QUOTA_BYTES - (await usedBytes(carl)), createdDate: '' },
    })
    const json = { name: 'Full', flowData: dataOf('1'), type: 'AGENTFLOW' }
    const refused = await call(carl, 'POST', '/chatflows', { ...json, sources: [b] })
    expect([refused.status, refused.body.field]).toEqual([413, 'sources'])
    expect((await call(carl, 'POST', '/chatflows', { ...json, sources: [a] })).status).toBe(200)
  })
})

it.each([
  ['a path that leaves the design', [file('../x', '')], 'sources.0.name'],
  ['an absolute path', [file('/etc/x', '')], 'sources.0.name'],
  ['an empty name', [file('', '')], 'sources.0.name'],
  ['a name with a line break', [file('a\nb', '')], 'sources.0.name'],
  ['two files of one name', [a, b], 'sources.1.name'],
  ['bytes that are not base64', [{ name: 'x', data: 'a$==' }], 'sources.0.data'],
  ['too many files', Array.from({ length: MAX_SOURCES + 1 }, (_, index) => file(`${index}`, '')), 'sources'],
  [
    'too many bytes',
    [file('x', new Uint8Array(MAX_SOURCE_BYTES / 2)), file('y', new Uint8Array(MAX_SOURCE_BYTES / 2 + 1))],
    'sources',
  ],
])('refuses %s, and names the field', async (_, sources, field) => {
  const json = { name: 'Wrong', flowData: dataOf('1'), type: 'AGENTFLOW', sources }
  const { status, body } = await call(ann, 'POST', '/chatflows', json)
  expect([status, body.field]).toEqual([400, field])
})

it('takes as many bytes as the limit says, and no source files without the flow', async () => {
  const { id } = await create([file('x', new Uint8Array(MAX_SOURCE_BYTES))])
  expect((await rowsOf(id)).map(({ size }) => size)).toEqual([MAX_SOURCE_BYTES])
  const { status, body } = await save(id, { sources: [a] })
  expect([status, body.field]).toEqual([400, 'sources'])
})

describe('another workspace', () => {
  it('neither reads nor copies them', async () => {
    const { id } = await create([a])
    for (const path of [`/chatflows/${id}/sources`, `/chatflows/${id}/versions/1/sources`]) {
      expect((await call(bob, 'GET', path)).status).toBe(404)
    }
    const json = { name: 'Taken', flowData: dataOf('1'), type: 'AGENTFLOW', copyOf: id }
    expect((await call(bob, 'POST', '/chatflows', json)).status).toBe(404)
  })

  it('stores the same bytes as its own', async () => {
    const same = file('same.bin', crypto.getRandomValues(new Uint8Array(50)))
    const [hers, his] = [await create([same]), await create([same], { client: bob })]
    const [one, two] = [...(await rowsOf(hers.id)), ...(await rowsOf(his.id))]
    expect(one?.objectId).not.toBe(two?.objectId)
    await call(ann, 'DELETE', `/chatflows/${hers.id}`)
    expect(await sourcesOf(his.id, bob)).toEqual([same])
  })
})

it('answers that a version does not exist, and who may not see flows of its type is refused', async () => {
  const { id } = await create([a])
  expect((await call(ann, 'GET', `/chatflows/${id}/versions/9/sources`)).status).toBe(404)
  const statusFor = async (permission: string) => {
    const { apiKey } = (await call(ann, 'POST', '/apikey', { keyName: permission, permissions: [permission] })).body
    const headers = { authorization: `Bearer ${apiKey}` }
    return (await heddle.fetch(`/api/v1/chatflows/${id}/sources`, { headers })).status
  }
  expect([await statusFor('chatflows:view'), await statusFor('agentflows:view')]).toEqual([403, 200])
})

describe('an export', () => {
  const exported = async () => (await call(ann, 'POST', '/export-import/export', { agentflowv2: true })).body
  const flowIn = (bundle: { AgentFlowV2: { id: string; sources?: SourceFile[] }[] }, id: string) =>
    bundle.AgentFlowV2.find((flow) => flow.id === id)
  const take = async (bundle: object) => (await call(ann, 'POST', '/export-import/import', bundle)).body

  it('holds them, and an import brings them back', async () => {
    const { id } = await create([b])
    await save(id, { flowData: dataOf('2'), sources: [a, file('z.bin', new Uint8Array([0, 255, 10]))] })
    const flow = flowIn(await exported(), id)
    expect(flow?.sources).toEqual([a, file('z.bin', new Uint8Array([0, 255, 10]))])
    await call(ann, 'DELETE', `/chatflows/${id}`)
    await take({ AgentFlowV2: [flow] })
    expect(await sourcesOf(id)).toEqual(flow?.sources)
    expect((await rowsOf(id)).map(({ versionId }) => versionId)).toEqual([`${id}@1`, `${id}@1`])
  })

  it('tells a flow with other source files from the one that is there, and replaces them', async () => {
    const { id } = await create([a])
    const flow = flowIn(await exported(), id)
    const found = async (item: object) => {
      const { body } = await call(ann, 'POST', '/export-import/import?dryRun=true', { AgentFlowV2: [item] })
      return body.report.items[0].found
    }
    expect(await found({ ...flow })).toBe('same')
    const changed = { ...flow, sources: [b] }
    expect(await found(changed)).toBe('different')
    await take({ AgentFlowV2: [changed], choices: { [`AgentFlowV2/${id}`]: 'replace' } })
    expect([await sourcesOf(id), await sourcesAt(id, 1)]).toEqual([[b], [a]])
  })

  it('names the field of a wrong source file', async () => {
    const { id } = await create([a])
    const flow = flowIn(await exported(), id)
    const { status, body } = await call(ann, 'POST', '/export-import/import', {
      AgentFlowV2: [{ ...flow, sources: [file('../x', '')] }],
    })
    expect([status, body.field]).toEqual([400, 'AgentFlowV2.0.sources.0.name'])
  })

  it('says which of them it lacks, because their bytes are lost, and so does the import of its file', async () => {
    const gone = file('gone.bin', crypto.getRandomValues(new Uint8Array(20)))
    const { id } = await create([a, gone])
    expect(await exported()).not.toHaveProperty('notExported')
    const row = (await rowsOf(id)).find(({ name }) => name === gone.name)
    await (await heddle.openBucket()).delete(keyOf(row as NonNullable<typeof row>))
    const bundle = await exported()
    const note = 'The source file gone.bin of “From a file”, whose bytes are lost'
    expect([flowIn(bundle, id)?.sources, bundle.notExported]).toEqual([[a], [{ note }]])
    expect(await sourcesOf(id)).toEqual([a, { name: gone.name, data: null }])
    expect(Object.keys(bundle).at(-1)).toBe('notExported')
    const { report } = await take({ AgentFlowV2: [flowIn(bundle, id)], notExported: bundle.notExported })
    expect(report.notes).toEqual([`Not in this file: ${note}`])

    const { id: importId } = await send(ann, JSON.stringify({ AgentFlowV2: [], notExported: bundle.notExported }))
    await call(ann, 'POST', `/export-import/imports/${importId}/check`, {})
    await until(ann, 'checked')
    const open = (await call(ann, 'GET', '/export-import/imports')).body
    expect(JSON.stringify(open)).toContain(`Not in this file: ${note}`)
    await call(ann, 'DELETE', `/export-import/imports/${importId}`)
    await call(ann, 'DELETE', `/chatflows/${id}`)
  })

  it('that is too large for one request brings them back, too', async () => {
    const { id } = await create([a, file('z.bin', new Uint8Array([0, 255, 10]))])
    const flow = flowIn(await exported(), id)
    await call(ann, 'DELETE', `/chatflows/${id}`)
    const { id: importId } = await send(ann, JSON.stringify({ AgentFlowV2: [flow] }))
    await call(ann, 'POST', `/export-import/imports/${importId}/check`, {})
    await until(ann, 'checked')
    await call(ann, 'POST', `/export-import/imports/${importId}/run`, {})
    await until(ann, 'done')
    expect(await sourcesOf(id)).toEqual(flow?.sources)
    await call(ann, 'DELETE', `/export-import/imports/${importId}`)
  })
})
