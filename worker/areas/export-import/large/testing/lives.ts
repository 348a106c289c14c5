/** Works on large imports by instances that die at a chosen batch, on a database that tells what each batch writes. */
import { eq, sql } from 'drizzle-orm'
import { FILE_PART_BYTES, type LargeImport } from '#contract/export-import/export-import.ts'
import type { Database } from '#db/client.ts'
import {
  assistants,
  chatflows,
  chatMessageFeedback,
  chatMessages,
  customTemplates,
  documentChunks,
  documentSources,
  documentStores,
  executionSteps,
  executions,
  flowVersions,
  importRows,
  tools,
  variables,
  workspaceImports,
} from '#db/schema/index.ts'
import { call, type TestClient } from '#worker/local/testing/client.ts'
import type { TestHeddle } from '#worker/local/testing/heddle.ts'
import type { Member } from '../../../../http/route.ts'
import type { Steps } from '../../../../jobs/instances.ts'
import type { Services } from '../../../../services.ts'
import { type ImportJobParams, moveOn } from '../import-rows.ts'
import { largeImportJob } from '../run-import.ts'
import { openImport, send } from './files.ts'

/** A person who imports, and the product that does it. */
export interface Importer {
  heddle: TestHeddle
  client: TestClient
}

export interface Life {
  /** The batch at which the instance dies. */
  dies?: { at: number; isWritten: boolean }
  /** The batch that fails, as when the database is away. */
  fails?: { at: number; error: Error }
  /** Awaited before each batch. */
  before?(): Promise<unknown>
  /** Called after each batch. */
  onBatch?(batch: Batch): void
}

export interface Batch {
  /** Bytes of the file that were read before it. */
  bytesRead: number
  /** Rows that it wrote or deleted. */
  rows: number
  milliseconds: number
}

const NEVER = new Promise<never>(() => {})
const clock = { now: () => new Date(), sleep: async () => {} }
const steps = { do: (_name: string, _config: unknown, work: () => Promise<unknown>) => work() } as never

/** The product's services for one instance, which says nothing more once it is dead. */
export function servicesOf(
  { heddle: { database } }: Importer,
  file: Uint8Array,
  { dies, fails, before, onBatch }: Life = {},
): { services: Services; death: Promise<void> } {
  const { promise: death, resolve: die } = Promise.withResolvers<void>()
  let batches = 0
  let bytesRead = 0
  const db = new Proxy(database, {
    get: (target, name) => (name === 'batch' ? batch : Reflect.get(target, name)),
  }) as Database
  async function batch(statements: unknown[]) {
    const number = batches++
    if (dies && number > dies.at) return NEVER
    if (number === fails?.at) throw fails.error
    await before?.()
    const isLast = number === dies?.at
    const started = performance.now()
    const answer: unknown[] = isLast && !dies?.isWritten ? [] : await database.batch(statements as never)
    onBatch?.({ bytesRead, rows: rowsWritten(answer), milliseconds: performance.now() - started })
    bytesRead = 0
    if (!isLast) return answer
    die()
    return NEVER
  }
  const fileStorage = {
    write: async () => undefined,
    async readRange(key: string, { offset, length }: { offset: number; length: number }) {
      const from = Number(key.slice(key.lastIndexOf('-') + 1)) * FILE_PART_BYTES
      const part = file.subarray(from, from + FILE_PART_BYTES)
      const bytes = part.slice(offset, offset + length)
      bytesRead += bytes.length
      return { bytes, size: part.length }
    },
  }
  const backgroundRuns = { createBatch: async () => undefined }
  return { services: { db, clock, fileStorage, backgroundRuns } as unknown as Services, death }
}

const rowsWritten = (answer: readonly unknown[]): number =>
  answer.reduce<number>((sum, each) => sum + ((each as { rowsAffected?: number }).rowsAffected ?? 0), 0)

const runImport = (services: Services, params: ImportJobParams, by: Steps = steps) =>
  largeImportJob([]).run(services, params, by)

export async function stateOf({ heddle }: Importer, id: string) {
  const [row] = await heddle.database.select().from(workspaceImports).where(eq(workspaceImports.id, id))
  if (!row) throw new Error('There is no import')
  return row
}

export type Lives = (number: number, state: string) => Life | Promise<Life>

/** Lets instances live and die until nobody has to work on the import. */
export async function workOn(importer: Importer, id: string, file: Uint8Array, lifeOf: Lives = () => ({})) {
  await whileWorking(importer, id, async (params, number, state) => {
    const life = await lifeOf(number, state)
    const { services, death } = servicesOf(importer, file, life)
    const running = runImport(services, params).catch((error) => {
      if (error !== life.fails?.error) throw error
    })
    await Promise.race([running, death])
  })
}

/** Does the work again and again until nobody has to work on the import. */
async function whileWorking(
  importer: Importer,
  id: string,
  work: (params: ImportJobParams, number: number, state: string) => Promise<void>,
): Promise<void> {
  const { workspaceId, state: begun } = await stateOf(importer, id)
  const params: ImportJobParams = { kind: 'import', importId: id, workspaceId }
  for (let number = 0; ; number++) {
    const { state } = await stateOf(importer, id)
    if (state !== begun && state !== 'writing') return
    await importer.heddle.database.update(workspaceImports).set({ leaseUntil: null })
    await work(params, number, state)
  }
}

/** Lets two instances do each piece of work, as when the platform restarts one whose older self goes on. */
export const workTwice = (importer: Importer, id: string, file: Uint8Array): Promise<void> =>
  whileWorking(importer, id, async (params) => {
    let claim: Promise<unknown> | undefined
    const restarted = {
      do(name: string, _config: unknown, work: () => Promise<unknown>) {
        if (name !== 'claim') return work()
        claim ??= work()
        return claim
      },
    } as never
    await Promise.all([1, 2].map(() => runImport(servicesOf(importer, file).services, params, restarted)))
  })

export interface Outcome {
  reports: unknown[]
  rows: Record<string, string[]>
  pieces: number
}

type Working = (id: string, file: Uint8Array) => Promise<void>

/** Checks and imports a bundle. Returns what was reported and written, and forgets it. */
export async function outcomeOf(importer: Importer, bundle: object, work: Working): Promise<Outcome> {
  const { checked, ended, text } = await importOf(importer, bundle, work)
  if (ended.state !== 'done') throw new Error(`The import is ${ended.state}: ${ended.reason}`)
  const rows = await writtenRows(importer, text)
  const pieces = await forget(importer, ended.id)
  return { reports: [checked.report, ended.report], rows, pieces }
}

/** Sends, checks and imports a bundle. */
export async function importOf(importer: Importer, bundle: object, work: Working) {
  const { client } = importer
  const text = JSON.stringify(bundle)
  const file = new TextEncoder().encode(text)
  const { id } = await send(client, text)
  const member = JSON.parse((await stateOf(importer, id)).actor) as Member
  const { services } = servicesOf(importer, file)
  await moveOn(services, member, { id, from: 'uploading', to: 'checking' })
  await work(id, file)
  const checked = (await openImport(client)) as LargeImport
  const request = { requestId: crypto.randomUUID(), address: null }
  await moveOn(services, member, { id, from: 'checked', to: 'importing', call: request })
  await work(id, file)
  return { checked, ended: (await openImport(client)) as LargeImport, text }
}

/** Deletes what was imported. Returns in how many pieces the import was read. */
export async function forget({ heddle: { database }, client }: Importer, id: string): Promise<number> {
  const isCursor = sql`${importRows.list} = 'cursor' and ${importRows.importId} = ${id}`
  const [cursor] = await database.select().from(importRows).where(isCursor)
  await call(client, 'DELETE', `/export-import/imports/${id}`)
  await database.delete(documentStores)
  for (const table of Object.values(TABLES)) await database.delete(table)
  return JSON.parse(cursor?.row ?? '').pieces
}

const TABLES = {
  ...{ chatMessageFeedback, chatMessages, documentChunks, documentSources, executionSteps, executions },
  ...{ variables, tools, customTemplates, assistants, flowVersions, chatflows },
}
const OF_THE_MOMENT = ['createdDate', 'updatedDate', 'incarnation']

/** Without moments, and without the ids that the file does not give. */
async function writtenRows({ heddle }: Importer, file: string): Promise<Record<string, string[]>> {
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
