// @defends half-file-imported
/** A large import from the moment at which it is decided: it writes all rows, whatever dies and whatever others do. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  chatMessageFeedback,
  chatMessages,
  documentChunks,
  documentLoaders,
  documentSources,
  documentStores,
  executionSteps,
  executions,
  importRows,
} from '#db/schema/index.ts'
import { handleFor, senderOf } from '#db/tenant-guard.ts'
import { call, type TestClient } from '#worker/local/testing/client.ts'
import { byDepth } from '#worker/local/testing/depth.ts'
import { startTestHeddle } from '#worker/local/testing/heddle.ts'
import { clearLeftovers, readCursor, rereadFile } from './cursor.ts'
import { runImports } from './import-rows.ts'
import { bundleOf, oddBundle, openImport, STORE, send } from './testing/files.ts'
import {
  type Batch,
  forget,
  type Importer,
  importOf,
  type Life,
  outcomeOf,
  servicesOf,
  stateOf,
  workOn,
} from './testing/lives.ts'

let ann: Importer
let bob: TestClient
beforeAll(async () => {
  const heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = { heddle, client: await heddle.signUp() }
  bob = await heddle.signUp()
})
afterAll(() => ann.heddle.close())

/** Lets every instance that writes live for two batches, of which that of items is the second one. @param between called before each, with how many there were */
const pieceByPiece =
  (between: (number: number, id: string) => unknown, life: Life = { dies: { at: 1, isWritten: true } }) =>
  async (id: string, file: Uint8Array) => {
    let writers = 0
    await workOn(ann, id, file, async (_, state) => {
      if (state !== 'writing') return {}
      await between(writers++, id)
      return life
    })
  }

const countOf = async (table: typeof chatMessages | typeof executions | typeof documentChunks) =>
  (await ann.heddle.database.select({ n: sql<number>`count(*)` }).from(table))[0]?.n

/** The chunks and characters that stores, loaders and sources say they have, and those of the chunks that are there. */
async function totalsOfStores() {
  const { database } = ann.heddle
  const [stores, loaders, sources, chunks] = await Promise.all([
    database.select().from(documentStores),
    database.select().from(documentLoaders),
    database.select().from(documentSources),
    database.select().from(documentChunks),
  ])
  const totals: [id: string, chunks: number, chars: number][] = [
    ...[...stores, ...loaders].map((row) => [row.id, row.totalChunks, row.totalChars] as [string, number, number]),
    ...sources.map((row) => [row.id, row.chunks, row.chars] as [string, number, number]),
  ]
  const counted = totals.map(([id]) => {
    const own = chunks.filter(({ storeId, docId, sourceId }) => [storeId, docId, sourceId].includes(id))
    return [id, own.length, own.reduce((sum, { pageContent }) => sum + pageContent.length, 0)]
  })
  return { totals, counted }
}

describe('once it is decided', () => {
  const bundle = oddBundle(120)

  it('a large import that dies at each of its pieces, before and after it is written, writes everything once', {
    timeout: 120_000,
  }, async () => {
    const whole = await outcomeOf(ann, bundle, (id, file) => workOn(ann, id, file))
    const ages: string[] = []
    for (const isWritten of [false, true]) {
      const died = await outcomeOf(ann, bundle, (id, file) =>
        workOn(ann, id, file, (number, state) => {
          if (state !== 'writing') return {}
          ages.push(state)
          return { dies: { at: 1 + (isWritten ? 0 : number % 2), isWritten } }
        }),
      )
      expect(died).toEqual(whole)
    }
    expect(ages.length).toBeGreaterThan(10)
  })

  it('a large import goes on behind faults that pass', { timeout: 120_000 }, async () => {
    const whole = await outcomeOf(ann, bundle, (id, file) => workOn(ann, id, file))
    const faults = ['The database is away', 'UNIQUE constraint failed: chat_messages.id'].map((text) => new Error(text))
    const failed = await outcomeOf(ann, bundle, (id, file) =>
      workOn(ann, id, file, (number, state) => {
        const error = faults[number % 3]
        return state === 'writing' && error ? { fails: { at: 1, error } } : {}
      }),
    )
    expect(failed).toEqual(whole)
  })

  it('a large import can no longer be cancelled', { timeout: 60_000 }, async () => {
    const answers: number[] = []
    const { ended } = await importOf(
      ann,
      bundle,
      pieceByPiece(async (_, id) => {
        expect((await openImport(ann.client))?.state).toBe('writing')
        answers.push((await call(ann.client, 'DELETE', `/export-import/imports/${id}`)).status)
      }),
    )
    expect([ended.state, new Set(answers)]).toEqual(['done', new Set([409])])
    expect(await countOf(chatMessages)).toBe(242)
    await forget(ann, ended.id)
  })
})

describe('what others do while it writes', () => {
  const RUNS = 120
  const bundle = bundleOf({ runs: RUNS, chunks: RUNS, chars: 2500 })
  const { AgentFlowV2, DocumentStore } = bundle

  it('leaves out rows whose ids others take, and names them in the report', { timeout: 60_000 }, async () => {
    const [Execution, ChatMessage] = [bundle.Execution.slice(0, 3), bundle.ChatMessage.slice(0, 3)]
    const DocumentStoreFileChunk = bundle.DocumentStoreFileChunk.slice(0, 3)
    const theirs = { AgentFlowV2, Execution, ChatMessage, DocumentStore, DocumentStoreFileChunk }
    const { ended } = await importOf(
      ann,
      bundle,
      pieceByPiece(async (number) => {
        // Behind the items.
        if (number !== 1) return
        const taken = await call(bob, 'POST', '/export-import/import', theirs)
        expect(taken.body.report.imported).toMatchObject({ Execution: 3, ChatMessage: 3, DocumentStoreFileChunk: 3 })
      }),
    )
    const why = 'Its id was taken while the file was imported'
    const names = (rows: { id: string }[]) => rows.map(({ id }) => id)
    expect([ended.state, ended.reason]).toEqual(['done', expect.stringContaining(`ChatMessage (3): ${why}`)])
    expect(new Set(ended.report?.leftOut)).toEqual(
      new Set([
        { key: 'Execution', names: names(Execution), count: 3, why },
        { key: 'ChatMessage', names: names(ChatMessage), count: 3, why },
        { key: 'DocumentStoreFileChunk', names: names(DocumentStoreFileChunk), count: 3, why },
        {
          ...{ key: 'ChatMessageFeedback', names: [bundle.ChatMessageFeedback[0]?.id], count: 1 },
          why: 'Its message was deleted, or left out, while the file was imported',
        },
      ]),
    )
    const { totals, counted } = await totalsOfStores()
    expect(totals).toEqual(counted)
    expect(totals.map(([, chunks]) => chunks).sort((a, b) => a - b)).toEqual([
      ...[1, 2, 3, 3, RUNS / 2 - 2, RUNS / 2 - 1, RUNS - 3, RUNS - 3],
    ])
    const imported = { Execution: RUNS - 3, ChatMessage: 2 * RUNS - 3, ChatMessageFeedback: 11 }
    expect(ended.report?.imported).toMatchObject({ ...imported, DocumentStoreFileChunk: RUNS - 3 })
    expect([await countOf(executions), await countOf(chatMessages)]).toEqual([RUNS, 2 * RUNS])
    const { database } = ann.heddle
    expect(await database.select().from(executionSteps)).toHaveLength(RUNS)
    // No message of hers names a run of his.
    const { workspaceId } = await stateOf(ann, ended.id)
    const isLinked = and(eq(chatMessages.workspaceId, workspaceId), inArray(chatMessages.executionId, names(Execution)))
    expect(await database.select().from(chatMessages).where(isLinked)).toEqual([])
    await forget(ann, ended.id)
  })

  it('leaves out the rating of a message that somebody rates', { timeout: 60_000 }, async () => {
    const [first] = bundle.ChatMessageFeedback
    const rated = { chatflowid: first?.chatflowid, chatId: first?.chatId, messageId: first?.messageId }
    const { ended } = await importOf(
      ann,
      bundle,
      pieceByPiece(() => call(ann.client, 'POST', '/feedback', { ...rated, rating: 'THUMBS_DOWN', content: '' })),
    )
    expect(ended.report?.leftOut).toEqual([
      {
        ...{ key: 'ChatMessageFeedback', names: [first?.id], count: 1 },
        why: 'Its message was rated while the file was imported',
      },
    ])
    const { database } = ann.heddle
    const kept = await database.select().from(chatMessageFeedback).orderBy(chatMessageFeedback.messageId)
    expect([kept.length, kept[0]?.rating]).toEqual([12, 'THUMBS_DOWN'])
    await forget(ann, ended.id)
  })

  it('ends when its flow and its document store are deleted', { timeout: 60_000 }, async () => {
    const [flow] = AgentFlowV2
    const { ended } = await importOf(
      ann,
      bundle,
      pieceByPiece(async (number) => {
        if (number !== 1) return
        expect((await call(ann.client, 'DELETE', `/chatflows/${flow?.id}`)).status).toBeLessThan(300)
        expect((await call(ann.client, 'DELETE', `/document-store/store/${STORE}`)).status).toBeLessThan(300)
      }),
    )
    expect([ended.state, ended.report?.imported]).toMatchObject([
      'done',
      { ChatMessage: 0, ChatMessageFeedback: 0, DocumentStoreFileChunk: 0 },
    ])
    const why = 'Its flow was deleted, or left out, while the file was imported'
    expect(ended.report?.leftOut).toContainEqual({
      ...{ key: 'ChatMessage', names: bundle.ChatMessage.slice(0, 20).map(({ id }) => id), count: 2 * RUNS, why },
    })
    expect([await countOf(chatMessages), await countOf(documentChunks)]).toEqual([0, 0])
    await forget(ann, ended.id)
  })

  it('reads the file again when ids are taken before it is decided', { timeout: 60_000 }, async () => {
    await importOf(ann, { AgentFlowV2 }, (id, file) => workOn(ann, id, file))
    await call(ann.client, 'DELETE', `/export-import/imports/${(await openImport(ann.client))?.id}`)
    const ChatMessage = bundle.ChatMessage.slice(0, 3)
    const { ended } = await importOf(ann, bundle, (id, file) =>
      workOn(ann, id, file, async (number, state) => {
        if (state !== 'importing' || number > 2) return {}
        if (number === 2)
          expect((await call(bob, 'POST', '/export-import/import', { AgentFlowV2, ChatMessage })).status).toBe(200)
        return { dies: { at: 2, isWritten: true } }
      }),
    )
    expect(ended.report).toMatchObject({ imported: { ChatMessage: 2 * RUNS }, leftOut: [] })
    expect(await countOf(chatMessages)).toBe(2 * RUNS + 3)
    await forget(ann, ended.id)
  })
})

it('a large import is not decided by an instance whose rows another one has deleted to read the file again', {
  timeout: 60_000,
}, async () => {
  let isReread = false
  const rereading = (id: string, file: Uint8Array): Life => ({
    async before() {
      const held = await stateOf(ann, id)
      const isRead = held.rowsTotal !== null && held.rowsDone === held.rowsTotal
      if (isReread || held.state !== 'importing' || !isRead) return
      isReread = true
      const { services } = servicesOf(ann, file)
      await rereadFile(services.db, held, await readCursor(services.db, held))
      await clearLeftovers(services, held, await readCursor(services.db, held))
    },
  })
  const { ended } = await importOf(ann, bundleOf({ runs: 20, chars: 10 }), (id, file) =>
    workOn(ann, id, file, () => rereading(id, file)),
  )
  expect(isReread).toBe(true)
  expect(ended).toMatchObject({ state: 'done', report: { imported: { ChatMessage: 40 }, leftOut: [] } })
  expect(await countOf(chatMessages)).toBe(40)
  await forget(ann, ended.id)
})

it('a large import with a long list of notes is decided', { timeout: 60_000 }, async () => {
  const [message, ...others] = bundleOf({ runs: 2, chars: 10 }).ChatMessage
  const unknown = Object.fromEntries(Array.from({ length: 190 }, (_, n) => [`${n}`.padEnd(2500, 'x'), 1]))
  const bundle = { ...bundleOf({ runs: 2, chars: 10 }), ChatMessage: [{ ...message, ...unknown }, ...others] }
  const { ended } = await importOf(ann, bundle, (id, file) => workOn(ann, id, file))
  expect([ended.state, ended.report?.notes.length, await countOf(chatMessages)]).toEqual(['done', 191, 4])
  await forget(ann, ended.id)
})

it('the minute job deletes what was put aside in parts', async () => {
  const { heddle, client } = ann
  const { id } = await send(client, '{}')
  const n = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 1200)`
  await heddle.database.run(sql`insert into import_rows ${n} select ${id}, 'messages', i, '{}' from n`)
  await call(client, 'DELETE', `/export-import/imports/${id}`)
  const deleted: number[] = []
  const sender = senderOf(heddle.database)
  const counting = Object.create(sender, {
    execute: {
      async value(statement: never) {
        const answer = await sender.execute(statement)
        deleted.push(answer.rowsAffected)
        return answer
      },
    },
  })
  const services = { ...servicesOf(ann, new Uint8Array()).services, db: handleFor(heddle.database, counting) }
  await runImports(services, new Date())
  expect(Math.max(...deleted)).toBe(500)
  const left = await heddle.database.select().from(importRows).where(eq(importRows.importId, id))
  expect(left).toEqual([])
})

/** The last one is a file of 100 MB. */
const SMALL = { runs: 600, chunks: 1200, chars: 10 }
const LARGE = { ...SMALL, runs: 2400, chunks: 4800 }
const DEEP = { runs: 10_000, chunks: 20_000, chars: 1400 }
const MINUTES = 60_000

/** Returns the greatest number of rows that a batch of an import writes or deletes. */
async function mostRows(size: { runs: number; chunks: number; chars: number }): Promise<number> {
  const batches: Batch[] = []
  const { ended } = await importOf(ann, bundleOf(size), (id, file) =>
    workOn(ann, id, file, () => ({ onBatch: (batch) => batches.push(batch) })),
  )
  expect(ended).toMatchObject({ state: 'done', report: { imported: { ChatMessage: 2 * size.runs } } })
  await forget(ann, ended.id)
  return Math.max(...batches.map(({ rows }) => rows))
}

it('no batch of a large import grows with its file', { timeout: byDepth(3, 15) * MINUTES }, async () => {
  const most = await mostRows(SMALL)
  // A page of runs: each with a step, and both put aside.
  expect(most).toBeGreaterThan(4 * 500)
  for (const size of [LARGE, DEEP].slice(0, byDepth(1, 2))) expect(await mostRows(size)).toBeLessThanOrEqual(most + 10)
})

it('no batch of a large import that is read again grows with its file', { timeout: 3 * MINUTES }, async () => {
  await ann.heddle.database.run(sql`create trigger taken before insert on import_rows when new.list = 'items' begin
    select raise(abort, 'UNIQUE constraint failed: chatflows.id'); end`)
  const batches: Batch[] = []
  const { ended } = await importOf(ann, bundleOf({ ...SMALL, chunks: 2400 }), (id, file) =>
    workOn(ann, id, file, () => ({ onBatch: (batch) => batches.push(batch) })),
  )
  await ann.heddle.database.run(sql`drop trigger taken`)
  expect(ended.state).toBe('failed')
  expect(Math.max(...batches.map(({ rows }) => rows))).toBeLessThan(2 * 1000 + 100)
  await forget(ann, ended.id)
})
