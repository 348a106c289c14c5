// @defends half-file-imported
/** The items of a large import: put aside and written piece by piece, each once, whatever others do meanwhile. */
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  assistants,
  chatflows,
  customTemplates,
  documentLoaders,
  documentSources,
  documentStores,
  fileDeletions,
  flowSources,
  importRows,
  retiredIds,
  tools,
  variables,
  workspaceImports,
} from '#db/schema/index.ts'
import type { WorkspaceTable } from '#db/scope.ts'
import { call, type TestClient } from '#worker/local/testing/client.ts'
import { startTestHeddle } from '#worker/local/testing/heddle.ts'
import { openImport } from './testing/files.ts'
import {
  type Batch,
  forget,
  type Importer,
  importOf,
  type Lives,
  outcomeOf,
  workOn,
  workTwice,
} from './testing/lives.ts'

let ann: Importer
let bob: TestClient
beforeAll(async () => {
  const heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = { heddle, client: await heddle.signUp() }
  bob = await heddle.signUp()
})
afterAll(() => ann.heddle.close())

const ID = (kind: number, n: number) => `${String(kind).padStart(8, '0')}-8536-40de-944b-${String(n).padStart(12, '0')}`
// Ids of rows that earlier tests deleted would stay with their workspace.
beforeEach(() => ann.heddle.database.delete(retiredIds))

const listOf = <Row>(count: number, row: (n: number) => Row): Row[] => Array.from({ length: count }, (_, n) => row(n))
const flowData = JSON.stringify({ nodes: [], edges: [] })

/** A document store with so many files. */
function storeOf(n: number, files = 20) {
  const loader = {
    ...{ id: ID(6, n), loaderId: 'textFile', loaderName: 'Texts', loaderConfig: {}, status: 'SYNC' },
    files: listOf(files, (file) => ({ id: ID(7, n * 20 + file), name: `${file}.txt` })),
  }
  return { id: ID(8, n), name: `Store ${n}`, loaders: JSON.stringify([loader]) }
}

/** A file of so many items of each kind. */
function itemsOf(count: number) {
  const said = (n: number) => ({
    id: ID(9, n),
    role: 'userMessage',
    chatflowid: ID(1, n),
    content: `${n}`,
    chatId: 'c',
    createdDate: '2026-01-01T00:00:00.000Z',
  })
  return {
    AgentFlowV2: listOf(count, (n) => ({
      ...{ id: ID(1, n), name: `Flow ${n}`, type: 'AGENTFLOW', flowData },
      sources: [{ name: 'a.txt', data: Buffer.from(`source ${n}`).toString('base64') }],
    })),
    AssistantCustom: listOf(count, (n) => ({ id: ID(2, n), details: { name: `Assistant ${n}` } })),
    CustomTemplate: listOf(count, (n) => ({ id: ID(3, n), name: `Template ${n}`, type: 'Tool', schema: '[]' })),
    Tool: listOf(5 * count, (n) => ({ id: ID(4, n), name: `tool_${n}`, schema: '[]', func: 'return 1' })),
    Variable: listOf(count, (n) => ({ id: ID(5, n), name: `name${n}`, type: 'static', value: `${n}` })),
    DocumentStore: listOf(count, (n) => storeOf(n)),
    ChatMessage: listOf(count, said),
  }
}

const TABLES = {
  variables,
  tools,
  customTemplates,
  documentStores,
  documentLoaders,
  documentSources,
  chatflows,
  assistants,
}
const countOf = async (table: WorkspaceTable) =>
  (await ann.heddle.database.select({ n: sql<number>`count(*)` }).from(table))[0]?.n ?? 0
const counts = (): Promise<number[]> => Promise.all(Object.values(TABLES).map((table) => countOf(table)))

/** Lets every instance that writes live for one piece of items: a batch that reads, and one that writes. */
const oneByOne =
  (before: (number: number) => unknown): ((id: string, file: Uint8Array) => Promise<void>) =>
  async (id, file) => {
    let writers = 0
    await workOn(ann, id, file, async (_, state) => {
      if (state !== 'writing') return {}
      await before(writers++)
      return { dies: { at: 1, isWritten: true } }
    })
  }

const COUNT = 30
const bundle = itemsOf(COUNT)

it('the items of a large import are written once, however often its instances die', { timeout: 120_000 }, async () => {
  const whole = await outcomeOf(ann, bundle, (id, file) => workOn(ann, id, file))
  expect(whole.rows.tools).toHaveLength(5 * COUNT)
  expect(whole.rows.chatflows).toHaveLength(2 * COUNT)
  expect(whole.rows.flowVersions).toHaveLength(2 * COUNT)
  expect(whole.rows.documentSources).toHaveLength(20 * COUNT)
  for (const isWritten of [false, true]) {
    const lives: Lives = (number, state) =>
      state === 'checking' ? {} : { dies: { at: 2 + (isWritten ? 0 : number % 3), isWritten } }
    expect(await outcomeOf(ann, bundle, (id, file) => workOn(ann, id, file, lives))).toEqual(whole)
  }
})

it('items that replace others are written once by two instances at once', { timeout: 120_000 }, async () => {
  const first = await importOf(ann, bundle, (id, file) => workOn(ann, id, file))
  await call(ann.client, 'DELETE', `/export-import/imports/${first.ended.id}`)
  const changed = bundle.AgentFlowV2.map((flow) => ({ ...flow, name: `${flow.name}, changed` }))
  const choices = JSON.stringify(Object.fromEntries(changed.map(({ id }) => [`AgentFlowV2/${id}`, 'replace'])))
  const { ended } = await importOf(ann, { AgentFlowV2: changed }, async (id, file) => {
    await ann.heddle.database.update(workspaceImports).set({ choices }).where(eq(workspaceImports.id, id))
    await workTwice(ann, id, file)
  })
  expect(ended).toMatchObject({
    state: 'done',
    reason: null,
    report: { imported: { AgentFlowV2: COUNT }, leftOut: [] },
  })
  const flows = await ann.heddle.database.select().from(chatflows).where(sql`${chatflows.name} like '%, changed'`)
  expect(flows.map(({ version }) => version)).toEqual(Array(COUNT).fill(2))
  await forget(ann, ended.id)
})

it('what others refer to is there before them while a large import is written', { timeout: 60_000 }, async () => {
  const seen: number[][] = []
  const { ended } = await importOf(
    ann,
    bundle,
    oneByOne(async () => seen.push(await counts())),
  )
  const all = await counts()
  expect(seen[0]).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  // Variables, tools, templates, stores with their loaders, and the sources of these.
  const isComplete = (row: number[]) => row.slice(0, 6).every((count, at) => count === all[at])
  const withFlows = seen.filter((row) => row[6] !== 0)
  expect(withFlows.length).toBeGreaterThan(1)
  expect(withFlows.every(isComplete)).toBe(true)
  expect(new Set(seen.map(String)).size).toBeGreaterThan(5)
  await forget(ann, ended.id)
})

it('the files of a flow stay until its piece is written', { timeout: 60_000 }, async () => {
  await ann.heddle.database.delete(fileDeletions)
  const due: string[] = []
  const { ended } = await importOf(
    ann,
    bundle,
    oneByOne(async (number) => {
      if (number > 0) return
      const waiting = await ann.heddle.database.select().from(fileDeletions).where(sql`${fileDeletions.dueDate} <> ''`)
      due.push(...waiting.map(({ dueDate }) => dueDate))
    }),
  )
  const days = due.map((date) => (Date.parse(date) - Date.now()) / 86_400_000).filter((each) => each > 20)
  expect(days).toHaveLength(COUNT)
  const objects = await ann.heddle.database.select({ id: flowSources.objectId }).from(flowSources)
  expect(objects).toHaveLength(COUNT)
  const deleted = (await ann.heddle.database.select().from(fileDeletions)).map(({ key }) => key)
  expect(objects.filter(({ id }) => deleted.some((key) => key.endsWith(id)))).toEqual([])
  await forget(ann, ended.id)
})

it('leaves out items that others made impossible, with what belongs to them, and names them', {
  timeout: 60_000,
}, async () => {
  const [flow, assistant, template, tool] = [
    bundle.AgentFlowV2,
    bundle.AssistantCustom,
    bundle.CustomTemplate,
    bundle.Tool,
  ]
  const theirs = {
    ...{ AgentFlowV2: flow.slice(0, 1), AssistantCustom: assistant.slice(0, 1), CustomTemplate: template.slice(0, 1) },
    ...{ Tool: tool.slice(0, 2), DocumentStore: bundle.DocumentStore.slice(0, 1) },
  }
  const { ended } = await importOf(
    ann,
    bundle,
    oneByOne(async (number) => {
      if (number > 0) return
      const taken = await call(bob, 'POST', '/export-import/import', theirs)
      expect(taken.body.report.imported).toMatchObject({
        AgentFlowV2: 1,
        AssistantCustom: 1,
        Tool: 2,
        DocumentStore: 1,
      })
      const variable = { name: 'name3', type: 'static', value: 'mine' }
      expect((await call(ann.client, 'POST', '/variables', variable)).status).toBeLessThan(300)
    }),
  )
  const why = 'Its id was taken while the file was imported'
  expect(ended.state).toBe('done')
  expect(new Set(ended.report?.leftOut)).toEqual(
    new Set([
      { key: 'AgentFlowV2', names: ['Flow 0'], count: 1, why },
      { key: 'AssistantCustom', names: ['Assistant 0'], count: 1, why },
      { key: 'CustomTemplate', names: ['Template 0'], count: 1, why },
      { key: 'Tool', names: ['tool_0', 'tool_1'], count: 2, why },
      { key: 'DocumentStore', names: ['Store 0'], count: 1, why },
      { key: 'Variable', names: ['name3'], count: 1, why: 'Its name was taken while the file was imported' },
      {
        ...{ key: 'ChatMessage', names: [ID(9, 0)], count: 1 },
        why: 'Its flow was deleted, or left out, while the file was imported',
      },
    ]),
  )
  const left = { AgentFlowV2: COUNT - 1, AssistantCustom: COUNT - 1, Tool: 5 * COUNT - 2, Variable: COUNT - 1 }
  expect(ended.report?.imported).toMatchObject({ ...left, DocumentStore: COUNT - 1, ChatMessage: COUNT - 1 })
  expect(await counts()).toEqual([COUNT, 5 * COUNT, COUNT, COUNT, COUNT, 20 * COUNT, 2 * COUNT, COUNT])
  await forget(ann, ended.id)
})

it('leaves out items whose predecessors were deleted', { timeout: 60_000 }, async () => {
  const first = await importOf(ann, bundle, (id, file) => workOn(ann, id, file))
  await call(ann.client, 'DELETE', `/export-import/imports/${first.ended.id}`)
  const changed = {
    Tool: bundle.Tool.map((tool) => ({ ...tool, func: 'return 2' })),
    DocumentStore: bundle.DocumentStore.map((store) => ({ ...store, name: `${store.name}, changed` })),
  }
  const keys = Object.entries(changed).flatMap(([key, rows]) => rows.map(({ id }) => [`${key}/${id}`, 'replace']))
  const { ended } = await importOf(ann, changed, async (id, file) => {
    const choices = JSON.stringify(Object.fromEntries(keys))
    await ann.heddle.database.update(workspaceImports).set({ choices }).where(eq(workspaceImports.id, id))
    await oneByOne(async (number) => {
      if (number > 0) return
      for (const path of [`/tools/${ID(4, 0)}`, `/document-store/store/${ID(8, 0)}`])
        expect((await call(ann.client, 'DELETE', path)).status).toBeLessThan(300)
    })(id, file)
  })
  const why = 'What it replaces was deleted while the file was imported'
  expect(new Set(ended.report?.leftOut)).toEqual(
    new Set([
      { key: 'Tool', names: ['tool_0'], count: 1, why },
      { key: 'DocumentStore', names: ['Store 0, changed'], count: 1, why },
    ]),
  )
  const { database } = ann.heddle
  expect(await database.select().from(tools).where(eq(tools.func, 'return 2'))).toHaveLength(5 * COUNT - 1)
  expect([await countOf(documentStores), await countOf(documentSources)]).toEqual([COUNT - 1, 20 * (COUNT - 1)])
  await forget(ann, ended.id)
})

it('goes on when the loader whose sources it writes has found one of them itself', { timeout: 60_000 }, async () => {
  let isFound = false
  const { ended } = await importOf(
    ann,
    { DocumentStore: [storeOf(0, 150)] },
    oneByOne(async () => {
      const [loader] = await ann.heddle.database.select().from(documentLoaders)
      if (!loader || isFound) return
      isFound = true
      const now = new Date().toISOString()
      await ann.heddle.database.insert(documentSources).values({
        ...{
          id: ID(7, 999),
          workspaceId: loader.workspaceId,
          storeId: loader.storeId,
          docId: loader.id,
          status: 'SYNC',
        },
        ...{ key: '3.txt', name: '3.txt', createdDate: now, updatedDate: now },
      })
    }),
  )
  expect([isFound, ended.state, await countOf(documentSources)]).toEqual([true, 'done', 150])
  await forget(ann, ended.id)
})

it('a large import gives other ids for those of items that others take before it is decided', {
  timeout: 60_000,
}, async () => {
  const { ended } = await importOf(ann, bundle, async (id, file) => {
    let isTaken = false
    await workOn(ann, id, file, async (_, state) => {
      const aside = await ann.heddle.database.select().from(importRows).where(eq(importRows.list, 'items'))
      if (state !== 'importing' || isTaken) return {}
      if (aside.length === 0) return { dies: { at: 2, isWritten: true } }
      isTaken = true
      const theirs = { AgentFlowV2: bundle.AgentFlowV2.slice(-1) }
      expect((await call(bob, 'POST', '/export-import/import', theirs)).status).toBe(200)
      return {}
    })
    if ((await openImport(ann.client))?.state === 'done') expect(isTaken).toBe(true)
  })
  expect(ended).toMatchObject({
    state: 'done',
    reason: null,
    report: { imported: { AgentFlowV2: COUNT }, leftOut: [] },
  })
  expect(await countOf(chatflows)).toBe(2 * COUNT + 1)
  await forget(ann, ended.id)
})

it('no batch of a large import writes more than 100 items', { timeout: 120_000 }, async () => {
  const batches: Batch[] = []
  const { ended } = await importOf(ann, { ...itemsOf(200), ChatMessage: [] }, (id, file) =>
    workOn(ann, id, file, () => ({ onBatch: (batch) => batches.push(batch) })),
  )
  expect(ended).toMatchObject({ state: 'done', report: { imported: { Tool: 1000, AgentFlowV2: 200 } } })
  // A flow writes itself, its version and its source file, whose bytes are deleted no more.
  const most = Math.max(...batches.map(({ rows }) => rows))
  expect(most).toBeGreaterThan(4 * 80)
  expect(most).toBeLessThan(4 * 100 + 10)
  await forget(ann, ended.id)
})
