// @defends half-file-imported
/** A large import whose instances die between its pieces and within them, or do a piece twice. */
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LargeImport } from '#contract/export-import/export-import.ts'
import type { Database } from '#db/client.ts'
import {
  chatflows,
  chatMessageFeedback,
  chatMessages,
  documentChunks,
  documentStores,
  executionSteps,
  executions,
  importRows,
  variables,
  workspaceImports,
} from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import type { Member } from '../../../http/route.ts'
import type { Steps } from '../../../jobs/instances.ts'
import type { Services } from '../../../services.ts'
import { type ImportJobParams, moveOn } from './import-rows.ts'
import { largeImportJob } from './run-import.ts'
import { bundleOf, openImport, send } from './testing/files.ts'

let heddle: TestHeddle
let ann: TestClient
beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
})
afterAll(() => heddle.close())

const runImport = (services: Services, params: ImportJobParams, steps: Steps) =>
  largeImportJob([]).run(services, params, steps)

const clock = { now: () => new Date(), sleep: async () => {} }

interface Life {
  /** The batch at which the instance dies. */
  dies?: { at: number; isWritten: boolean }
  /** Bytes of the file that were read for each piece. */
  reads?: number[]
}

const NEVER = new Promise<never>(() => {})

/** The product's services for one instance, which says nothing more once it is dead. */
function servicesOf(file: Uint8Array, { dies, reads = [] }: Life): { services: Services; death: Promise<void> } {
  const { promise: death, resolve: die } = Promise.withResolvers<void>()
  let batches = 0
  let bytesRead = 0
  const db = new Proxy(heddle.database, {
    get: (target, name) => (name === 'batch' ? batch : Reflect.get(target, name)),
  }) as Database
  async function batch(statements: unknown[]) {
    const number = batches++
    if (dies && number > dies.at) return NEVER
    const isLast = number === dies?.at
    const answer = isLast && !dies?.isWritten ? [] : await heddle.database.batch(statements as never)
    reads.push(bytesRead)
    bytesRead = 0
    if (!isLast) return answer
    die()
    return NEVER
  }
  const fileStorage = {
    async readRange(_: string, { offset, length }: { offset: number; length: number }) {
      bytesRead += Math.min(length, file.length - offset)
      return { bytes: file.slice(offset, offset + length), size: file.length }
    },
  }
  const backgroundRuns = { createBatch: async () => undefined }
  return { services: { db, clock, fileStorage, backgroundRuns } as unknown as Services, death }
}

const steps = { do: (_name: string, _config: unknown, work: () => Promise<unknown>) => work() } as never

const stateOf = async (id: string) => {
  const [row] = await heddle.database.select().from(workspaceImports).where(eq(workspaceImports.id, id))
  if (!row) throw new Error('There is no import')
  return row
}

/** Lets instances live and die until nobody has to work on the import. */
async function workOn(
  id: string,
  file: Uint8Array,
  lifeOf: (number: number, state: string) => Life | Promise<Life> = () => ({}),
): Promise<void> {
  const { workspaceId, state: begun } = await stateOf(id)
  const params: ImportJobParams = { kind: 'import', importId: id, workspaceId }
  for (let number = 0; (await stateOf(id)).state === begun; number++) {
    await heddle.database.update(workspaceImports).set({ leaseUntil: null })
    const { services, death } = servicesOf(file, await lifeOf(number, begun))
    await Promise.race([runImport(services, params, steps), death])
  }
}

interface Outcome {
  reports: unknown[]
  rows: Record<string, string[]>
  pieces: number
}

type Working = (id: string, file: Uint8Array) => Promise<void>

/** Checks and imports a bundle. Returns what was reported and written, and forgets it. */
async function outcomeOf(bundle: object, work: Working): Promise<Outcome> {
  const { checked, ended, text } = await importOf(bundle, work)
  expect([ended.state, ended.reason]).toEqual(['done', null])
  const rows = await writtenRows(text)
  const pieces = await forget(ended.id)
  return { reports: [checked.report, ended.report], rows, pieces }
}

async function importOf(bundle: object, work: Working) {
  const text = JSON.stringify(bundle)
  const file = new TextEncoder().encode(text)
  const { id } = await send(ann, text)
  const member = JSON.parse((await stateOf(id)).actor) as Member
  const { services } = servicesOf(file, {})
  await moveOn(services, member, { id, from: 'uploading', to: 'checking' })
  await work(id, file)
  const checked = (await openImport(ann)) as LargeImport
  const request = { requestId: crypto.randomUUID(), address: null }
  await moveOn(services, member, { id, from: 'checked', to: 'importing', call: request })
  await work(id, file)
  return { checked, ended: (await openImport(ann)) as LargeImport, text }
}

/** Returns in how many pieces the import was done. */
async function forget(id: string): Promise<number> {
  const isCursor = sql`${importRows.list} = 'cursor' and ${importRows.importId} = ${id}`
  const [cursor] = await heddle.database.select().from(importRows).where(isCursor)
  await call(ann, 'DELETE', `/export-import/imports/${id}`)
  await heddle.database.delete(documentStores)
  for (const table of Object.values(TABLES)) await heddle.database.delete(table)
  return JSON.parse(cursor?.row ?? '').pieces
}

const TABLES = { chatMessageFeedback, chatMessages, documentChunks, executionSteps, executions, variables, chatflows }
const OF_THE_MOMENT = ['createdDate', 'updatedDate', 'incarnation']

/** Without moments, and without the ids that the file does not give. */
async function writtenRows(file: string): Promise<Record<string, string[]>> {
  const entries = Object.entries(TABLES).map(async ([name, table]) => {
    const rows = (await heddle.database.select().from(table)) as Record<string, unknown>[]
    const texts = rows.map((row) =>
      JSON.stringify(row, (key, value) => {
        if (OF_THE_MOMENT.includes(key)) return ''
        return key === 'id' && !file.includes(String(value)) ? 'new' : value
      }),
    )
    return [name, texts.sort()]
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** With rows that are left out, noted or renamed because of rows of earlier pieces. */
function oddBundle(runs: number) {
  const bundle = bundleOf({ runs, chunks: runs, chars: 2500 })
  const [message] = bundle.ChatMessage
  const [rating] = bundle.ChatMessageFeedback
  const [chunk] = bundle.DocumentStoreFileChunk
  return {
    ...bundle,
    ChatMessage: [...bundle.ChatMessage, message, { ...message, id: 'no-uuid' }, { id: 'x', role: 'nobody' }],
    ChatMessageFeedback: [...bundle.ChatMessageFeedback, { ...rating, id: crypto.randomUUID() }],
    DocumentStoreFileChunk: [...bundle.DocumentStoreFileChunk, chunk, { id: 'x' }],
  }
}

const RUNS = 120
/** Bytes of the file that a piece may read, with those that it reads ahead. */
const MOST_READ = 2 * 1024 * 1024

const bundle = oddBundle(RUNS)
const reads: number[] = []
let whole: Outcome
beforeAll(async () => {
  whole = await outcomeOf(bundle, (id, file) => workOn(id, file, () => ({ reads })))
}, 60_000)

it('a large import ends with the same rows however often its instances die', { timeout: 120_000 }, async () => {
  expect(whole.rows.chatMessages).toHaveLength(2 * RUNS + 2)
  expect(whole.rows.documentChunks).toHaveLength(RUNS + 1)
  const died = await outcomeOf(bundle, (id, file) =>
    workOn(id, file, (number) => ({ dies: { at: 1 + (number % 3), isWritten: number % 2 === 0 } })),
  )
  expect(died).toEqual(whole)

  // A piece of a larger file reads no more; there are more of them.
  const larger = await outcomeOf(oddBundle(3 * RUNS), (id, file) => workOn(id, file, () => ({ reads })))
  expect(Math.max(...reads)).toBeLessThan(MOST_READ)
  expect(larger.pieces).toBeGreaterThan(2 * whole.pieces - 4)
})

it('a large import writes once what two of its instances do', { timeout: 60_000 }, async () => {
  const twice = await outcomeOf(bundle, async (id, file) => {
    const { workspaceId } = await stateOf(id)
    const params: ImportJobParams = { kind: 'import', importId: id, workspaceId }
    let claim: Promise<unknown> | undefined
    // As when the platform restarts an instance whose older self goes on.
    const restarted = {
      do(name: string, _config: unknown, work: () => Promise<unknown>) {
        if (name !== 'claim') return work()
        claim ??= work()
        return claim
      },
    } as never
    await Promise.all([1, 2].map(() => runImport(servicesOf(file, {}).services, params, restarted)))
  })
  expect(twice).toEqual(whole)
})

it('a large import is read again when another version of the worker planned it', { timeout: 60_000 }, async () => {
  const again = await outcomeOf(bundle, (id, file) =>
    workOn(id, file, async (number) => {
      if (number < 4) return { dies: { at: 1, isWritten: true } }
      if (number === 4) {
        const otherwise = sql`iif(list = 'cursor', json_set(row, '$.version', 0, '$.attempt', 20), '{}')`
        await heddle.database.run(sql`update import_rows set row = ${otherwise} where import_id = ${id}`)
        await heddle.database.update(workspaceImports).set({ attempt: 20 }).where(eq(workspaceImports.id, id))
      }
      return {}
    }),
  )
  expect(again).toEqual({ ...whole, pieces: again.pieces })
  expect(again.pieces).toBeGreaterThan(whole.pieces)
})

it('a large import gives other ids for those that another workspace takes meanwhile', { timeout: 60_000 }, async () => {
  const bob = await heddle.signUp()
  const { ended } = await importOf(bundle, (id, file) =>
    workOn(id, file, async (number, state) => {
      if (number < 4) return { dies: { at: 1, isWritten: true } }
      if (number > 4 || state === 'checking') return {}
      const { AgentFlowV2, ChatMessage } = bundle
      const taken = await call(bob, 'POST', '/export-import/import', {
        AgentFlowV2,
        ChatMessage: ChatMessage.slice(0, 3),
      })
      expect(taken.body.report.imported).toMatchObject({ AgentFlowV2: 1, ChatMessage: 3 })
      return {}
    }),
  )
  expect([ended.state, ended.reason]).toEqual(['done', null])
  expect(ended.report?.imported).toEqual((whole.reports[1] as typeof ended.report)?.imported)
  const rows = await heddle.database.select({ id: chatMessages.id }).from(chatMessages)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(3 + 2 * RUNS + 2)
  await forget(ended.id)
})

it('a large import whose ids are taken again and again ends', { timeout: 60_000 }, async () => {
  await heddle.database.run(sql`create trigger taken before insert on chat_messages begin
    select raise(abort, 'UNIQUE constraint failed: chat_messages.id'); end`)
  const { ended } = await importOf(bundleOf({ runs: 2, chars: 10 }), workOn)
  await heddle.database.run(sql`drop trigger taken`)
  expect(ended).toMatchObject({ state: 'failed', reason: expect.stringContaining('added elsewhere meanwhile') })
  // Four times one piece that reads, one that plans, and three that take.
  expect(await forget(ended.id)).toBeGreaterThan(4 * 3)
})
