// @defends half-file-imported
/** A large import whose instances die between its pieces and within them, or do a piece twice. */
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chatMessages, workspaceImports } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle } from '#worker/local/testing/heddle.ts'
import { bundleOf, oddBundle } from './testing/files.ts'
import {
  type Batch,
  forget,
  type Importer,
  importOf,
  type Lives,
  type Outcome,
  outcomeOf,
  workOn,
  workTwice,
} from './testing/lives.ts'

let ann: Importer
beforeAll(async () => {
  const heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = { heddle, client: await heddle.signUp() }
})
afterAll(() => ann.heddle.close())

const RUNS = 120
/** Bytes of the file that a piece may read, with those that it reads ahead. */
const MOST_READ = 2 * 1024 * 1024

const bundle = oddBundle(RUNS)
const batches: Batch[] = []
const watched: Lives = () => ({ onBatch: (batch) => batches.push(batch) })
let whole: Outcome
beforeAll(async () => {
  whole = await outcomeOf(ann, bundle, (id, file) => workOn(ann, id, file, watched))
}, 60_000)

it('a large import ends with the same rows however often its instances die', { timeout: 120_000 }, async () => {
  expect(whole.rows.chatMessages).toHaveLength(2 * RUNS + 2)
  expect(whole.rows.documentChunks).toHaveLength(RUNS + 1)
  const died = await outcomeOf(ann, bundle, (id, file) =>
    workOn(ann, id, file, (number) => ({ dies: { at: 1 + (number % 3), isWritten: number % 2 === 0 } })),
  )
  expect(died).toEqual(whole)

  // A piece of a larger file reads no more; there are more of them.
  const larger = await outcomeOf(ann, oddBundle(3 * RUNS), (id, file) => workOn(ann, id, file, watched))
  expect(Math.max(...batches.map(({ bytesRead }) => bytesRead))).toBeLessThan(MOST_READ)
  expect(larger.pieces).toBeGreaterThan(2 * whole.pieces - 4)
})

it('a large import writes once what two of its instances do', { timeout: 60_000 }, async () => {
  const twice = await outcomeOf(ann, bundle, (id, file) => workTwice(ann, id, file))
  expect(twice).toEqual(whole)
})

it('a large import is read again when another version of the worker planned it', { timeout: 60_000 }, async () => {
  const again = await outcomeOf(ann, bundle, (id, file) =>
    workOn(ann, id, file, async (number) => {
      if (number < 4) return { dies: { at: 1, isWritten: true } }
      if (number === 4) {
        const otherwise = sql`iif(list = 'cursor', json_set(row, '$.version', 0, '$.attempt', 20), '{}')`
        await ann.heddle.database.run(sql`update import_rows set row = ${otherwise} where import_id = ${id}`)
        await ann.heddle.database.update(workspaceImports).set({ attempt: 20 }).where(eq(workspaceImports.id, id))
      }
      return {}
    }),
  )
  expect(again).toEqual({ ...whole, pieces: again.pieces })
  expect(again.pieces).toBeGreaterThan(whole.pieces)
})

it('a large import gives other ids for those that another workspace takes meanwhile', { timeout: 60_000 }, async () => {
  const bob = await ann.heddle.signUp()
  const { ended } = await importOf(ann, bundle, (id, file) =>
    workOn(ann, id, file, async (number, state) => {
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
  const rows = await ann.heddle.database.select({ id: chatMessages.id }).from(chatMessages)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(3 + 2 * RUNS + 2)
  await forget(ann, ended.id)
})

it('a large import whose ids are taken again and again ends', { timeout: 60_000 }, async () => {
  await ann.heddle.database.run(sql`create trigger taken before insert on import_rows when new.list = 'items' begin
    select raise(abort, 'UNIQUE constraint failed: chatflows.id'); end`)
  const { ended } = await importOf(ann, bundleOf({ runs: 2, chars: 10 }), (id, file) => workOn(ann, id, file))
  await ann.heddle.database.run(sql`drop trigger taken`)
  expect(ended).toMatchObject({ state: 'failed', reason: expect.stringContaining('added elsewhere meanwhile') })
  // Four times one piece that reads, one that plans, and three that take.
  expect(await forget(ann, ended.id)).toBeGreaterThan(4 * 3)
})
