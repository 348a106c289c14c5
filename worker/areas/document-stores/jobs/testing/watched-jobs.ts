/** Test helper: jobs that a test runs itself, on the product's database, with a look at each batch before it is written. */
import { eq, type SQL } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { Database } from '#db/client.ts'
import { documentJobs, documentStores } from '#db/schema/index.ts'
import type { Services } from '#worker/services.ts'
import type { Statement } from '../job-context.ts'
import type { DocumentJobParams, JobRow } from '../rows/job-rows.ts'
import { runDocumentJob } from '../run-job.ts'

export type OnBatch = (texts: string[]) => unknown

/** `onBatch` comes before each batch, with the SQL of its statements and their parameters. */
export const watchedDatabase = (database: Database, onBatch: OnBatch): Database =>
  new Proxy(database, {
    get: (target, name) =>
      name === 'batch'
        ? async (statements: Statement[]) => {
            await onBatch(statements.map(textOfStatement))
            return target.batch(statements as never)
          }
        : Reflect.get(target, name),
  })

function textOfStatement(statement: Statement): string {
  const { sql: text, params } = new SQLiteAsyncDialect().sqlToQuery(
    (statement as unknown as { getSQL(): SQL }).getSQL(),
  )
  return `${text} ${params.join(' ')}`
}

export const lettersOf = (texts: string[], part: string): number =>
  texts.filter((text) => text.includes(part)).reduce((sum, text) => sum + text.length, 0)

interface ReadingJob {
  storeId: string
  docId: string
  kind?: JobRow['kind']
}

/** Adds a job that reads the loader. */
export async function addReadingJob(
  database: Database,
  { storeId, docId, kind = 'process' }: ReadingJob,
): Promise<DocumentJobParams> {
  const [store] = await database.select().from(documentStores).where(eq(documentStores.id, storeId))
  const params = { kind: 'documents' as const, jobId: crypto.randomUUID(), workspaceId: store?.workspaceId as string }
  await database.insert(documentJobs).values({
    ...{ id: params.jobId, workspaceId: params.workspaceId, storeId, docId, kind, state: 'queued' },
    ...{ request: {}, createdDate: '2026-01-01' },
  })
  return params
}

interface Watched {
  database: Database
  onBatch?: OnBatch
  onPause?: () => unknown
  read?: Services['fileStorage']['read']
}

/** Works on a job until it waits, is over or was lost. */
export async function runWatched(params: DocumentJobParams, { database, onBatch, onPause, read }: Watched) {
  const services = {
    db: onBatch ? watchedDatabase(database, onBatch) : database,
    clock: { now: () => new Date(), sleep: async () => onPause?.() },
    fileStorage: { read },
    openOutside: () => ({}),
    cipher: {},
    backgroundRuns: { createBatch: async () => undefined },
  } as unknown as Services
  const step = { do: (_name: string, _options: unknown, work: () => Promise<unknown>) => work() }
  await runDocumentJob(services, params, step as never)
}

/** Takes the job away from the instance that works on it, as when its worker dies: the next one goes on. */
export async function loseJob(database: Database, { jobId }: DocumentJobParams): Promise<void> {
  await database.update(documentJobs).set({ state: 'queued' }).where(eq(documentJobs.id, jobId))
}
