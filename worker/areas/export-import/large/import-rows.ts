/** The rows of imports of large files: who works on one, how far it is, and when it is gone. */
import { and, desc, eq, gt, inArray, isNull, lt, lte, ne, notInArray, sql } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import { FILE_PART_BYTES, type LargeImport } from '#contract/export-import/export-import.ts'
import type { Database } from '#db/client.ts'
import { importRows, workspaceImports } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse, scope, type Tenant } from '#db/scope.ts'
import type { AuditedCall } from '../../../http/audit.ts'
import type { Member } from '../../../http/route.ts'
import { createInstances, MAX_BATCH, replaceableId } from '../../../jobs/instances.ts'
import { fileKey } from '../../../ports/file-storage.ts'
import type { Statement } from '../../../runs/records/run-record.ts'
import type { JobParams, Services } from '../../../services.ts'
import { deleteBytesAt } from '../../files/index.ts'

const HOUR_MS = 60 * 60_000
/** A file that nobody imports by then is deleted. */
const KEPT_MS = 24 * HOUR_MS
/** An instance that says nothing for so long is replaced. */
const LEASE_MS = 3 * 60_000
/** Rows put aside that one statement deletes, of up to 64 KiB each. */
export const ROWS_AT_ONCE = 500
const MAX_DELETIONS = 200
/** Instances that a file may break. */
export const MAX_ATTEMPTS = 6

export type ImportRow = typeof workspaceImports.$inferSelect

export interface ImportJobParams extends JobParams {
  kind: 'import'
  importId: string
  workspaceId: string
}

type Starting = Pick<Services, 'db' | 'clock' | 'backgroundRuns'>

export const partKeys = ({ workspaceId, id, parts }: Pick<ImportRow, 'workspaceId' | 'id' | 'parts'>): string[] =>
  Array.from({ length: parts }, (_, part) => partKey({ workspaceId, id }, part))

const partKey = ({ workspaceId, id }: { workspaceId: string; id: string }, part: number): string =>
  fileKey({ workspaceId, id: `${id}-${part}` })

/**
 * States of an import that is decided: it goes on to its end, and nothing of it is undone. `indexing` is of earlier
 * versions: everything is imported, but some chunks may not be found yet.
 */
const DECIDED: ImportRow['state'][] = ['writing', 'indexing']
/** States in which an instance works on an import. */
const WORKING: ImportRow['state'][] = ['checking', 'importing', ...DECIDED]

const isOpen = (id: string) => and(eq(workspaceImports.id, id), isNull(workspaceImports.endedDate))

/** Returns the newest import that nobody has closed. */
export async function readOpenImport(db: Database, tenant: Tenant): Promise<LargeImport | null> {
  const [row] = await scope(db, tenant)
    .select(workspaceImports, ne(workspaceImports.state, 'cancelled'))
    .orderBy(desc(workspaceImports.createdDate))
    .limit(1)
  return row ? answerOf(row as ImportRow) : null
}

async function readImport(db: Database, tenant: Tenant, id: string): Promise<ImportRow> {
  const [row] = await scope(db, tenant).select(workspaceImports, eq(workspaceImports.id, id))
  if (!row || row.state === 'cancelled') throw new HeddleError('not_found', `Import ${id} not found`)
  return row as ImportRow
}

function answerOf({ id, name, state, parts, reason, rowsDone, rowsTotal, report }: ImportRow): LargeImport {
  return {
    ...{ id, name, parts, reason, rowsDone, rowsTotal },
    state: DECIDED.includes(state) ? 'writing' : (state as LargeImport['state']),
    report: report === null ? null : JSON.parse(report),
  }
}

/** Throws `conflict` while the workspace has another import. */
export async function startImport(
  { db, clock }: Starting,
  member: Member,
  { name, size }: { name: string; size: number },
): Promise<LargeImport> {
  const now = clock.now().toISOString()
  const id = crypto.randomUUID()
  const values = {
    ...{
      id: sql`${id}`,
      name: sql`${name}`,
      parts: sql`${Math.ceil(size / FILE_PART_BYTES)}`,
      state: sql`'uploading'`,
    },
    ...{ actor: sql`${JSON.stringify(member)}`, createdDate: sql`${now}`, updatedDate: sql`${now}` },
  }
  const rows = scope(db, member)
  const others = rows.select(workspaceImports, isNull(workspaceImports.endedDate))
  const [, added] = await db.batch([
    rows.insertFound(workspaceImports, { values, from: sql`where not exists ${others}` }),
    rows.select(workspaceImports, eq(workspaceImports.id, id)),
  ])
  if (added[0]) return answerOf(added[0] as ImportRow)
  throw new HeddleError('conflict', 'This workspace already imports a file. Open Import to see it')
}

interface Part {
  id: string
  part: number
  bytes: Uint8Array
}

/** Throws `not_found`, and `bad_request` for a part that the file does not have. */
export async function storePart(
  { db, clock, fileStorage }: Pick<Services, 'db' | 'clock' | 'fileStorage'>,
  tenant: Tenant,
  { id, part, bytes }: Part,
): Promise<void> {
  const row = await readImport(db, tenant, id)
  const isLast = part === row.parts - 1
  if (row.state !== 'uploading') throw new HeddleError('conflict', 'This file is complete')
  if (part >= row.parts)
    throw new HeddleError('bad_request', `part: This file has ${row.parts} parts`, { field: 'part' })
  if (bytes.length === 0 || (!isLast && bytes.length !== FILE_PART_BYTES))
    throw new HeddleError('bad_request', `body: Send parts of ${FILE_PART_BYTES} bytes`, { field: 'body' })
  const key = partKey(row, part)
  await deleteBytesAt(db, [key], new Date(clock.now().getTime() + KEPT_MS).toISOString())
  await fileStorage.write(key, bytes)
}

interface Transition {
  id: string
  from: ImportRow['state']
  to: 'checking' | 'importing'
  choices?: object
  /** That an event names. */
  call?: AuditedCall
}

/** Gives an import to an instance. Throws `not_found`, and `conflict` when it is in another state. */
export async function moveOn(services: Starting, member: Member, { id, from, to, choices = {}, call }: Transition) {
  const { db, clock } = services
  const row = await readImport(db, member, id)
  if (row.state !== from) throw new HeddleError('conflict', `This import is ${row.state}`)
  const now = clock.now().toISOString()
  const [held] = (await scope(db, member)
    .update(workspaceImports, and(isOpen(id), eq(workspaceImports.state, from)), {
      ...{ state: to, choices: JSON.stringify(choices), actor: JSON.stringify({ ...member, call }) },
      ...{ rowsDone: 0, attempt: 0, leaseUntil: null, updatedDate: now },
    })
    .returning()) as ImportRow[]
  if (!held) throw new HeddleError('conflict', 'This import was changed at the same time. Open Import to see it')
  await dispatch(services, held)
  return answerOf(held)
}

const instanceOf = ({ id, state, attempt }: Pick<ImportRow, 'id' | 'state' | 'attempt'>) =>
  `import-${id}-${state}-${attempt}`

export function dispatch(
  { backgroundRuns }: Pick<Services, 'backgroundRuns'>,
  row: Pick<ImportRow, 'id' | 'state' | 'attempt' | 'workspaceId'>,
) {
  const params: ImportJobParams = { kind: 'import', importId: row.id, workspaceId: row.workspaceId }
  return createInstances(backgroundRuns, [{ id: instanceOf(row), params }])
}

/**
 * Cancels an import, or closes one that has ended. What a cancelled one would have written is not written.
 * Returns the import as it was at that moment: `done` when everything had been imported before. Throws `conflict` while
 * its rows are being written.
 */
export async function closeImport(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  tenant: Tenant,
  id: string,
): Promise<LargeImport> {
  const row = await readImport(db, tenant, id)
  const now = clock.now().toISOString()
  const isOpen = and(eq(workspaceImports.id, id), notInArray(workspaceImports.state, [...DECIDED, 'cancelled']))
  const rows = scope(db, tenant)
  const [before] = await db.batch([
    rows.select(workspaceImports, isOpen),
    rows.update(workspaceImports, isOpen, {
      ...{ state: 'cancelled', updatedDate: now, leaseUntil: null },
      endedDate: sql`coalesce(${workspaceImports.endedDate}, ${now})` as unknown as string,
    }),
    deleteBytesAt(db, partKeys(row), ''),
  ])
  if (before[0]) return answerOf(before[0] as ImportRow)
  const found = await readImport(db, tenant, id)
  if (DECIDED.includes(found.state))
    throw new HeddleError(
      'conflict',
      'The rows of this file are being written, so its import can no longer be canceled',
    )
  return answerOf(found)
}

/** Claims an import with a conditional update. Returns what the instance holds; undefined when another one has it, or it has ended. */
export async function claimImport(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { importId, workspaceId }: ImportJobParams,
): Promise<Claim | undefined> {
  const now = clock.now()
  const { state, leaseUntil, attempt } = workspaceImports
  const isFree = and(
    isOpen(importId),
    inArray(state, WORKING),
    sql`(${leaseUntil} is null or ${leaseUntil} <= ${now.toISOString()})`,
    isInUse(workspaceImports.workspaceId),
  )
  const [row] = await scope(db, { workspaceId })
    .update(workspaceImports, isFree, {
      attempt: sql`${attempt} + 1` as unknown as number,
      leaseUntil: leaseFrom(now),
    })
    .returning()
  if (!row) return undefined
  const claimed = row as ImportRow
  return { attempt: claimed.attempt, state: claimed.state }
}

type Claim = Pick<ImportRow, 'attempt' | 'state'>
type HeldImport = ImportJobParams & Claim

/** Returns an import that an instance claimed; undefined when it has lost it, or it has ended. */
export async function readHeld(
  { db }: Pick<Services, 'db'>,
  { importId, workspaceId, attempt, state }: HeldImport,
): Promise<ImportRow | undefined> {
  const isHeld = and(isOpen(importId), eq(workspaceImports.state, state), eq(workspaceImports.attempt, attempt))
  const [row] = await scope(db, { workspaceId }).select(workspaceImports, isHeld)
  return row as ImportRow | undefined
}

/** Another instance goes on: this one has made as many steps and requests as it may. */
export async function handOver(services: Starting, held: HeldImport): Promise<void> {
  const row = await readHeld(services, held)
  if (!row) return
  try {
    await writeHeld(services, row, { change: { leaseUntil: null } })
  } catch (error) {
    if (!(error instanceof LostImport)) throw error
  }
  await dispatch(services, row)
}

const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS).toISOString()

/** The import was cancelled, or another instance has it. */
export class LostImport extends Error {}

export type Change = Partial<
  Pick<ImportRow, 'leaseUntil' | 'rowsDone' | 'rowsTotal' | 'state' | 'report' | 'reason' | 'endedDate'>
>

/**
 * Writes in one batch what belongs to an import. Its first statement renews the lease; when the import is no longer held,
 * null goes to a column that refuses it, and nothing is written. Throws `LostImport` then.
 */
export async function writeHeld(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  held: ImportRow,
  { change = {}, statements = [] }: { change?: Change; statements?: Statement[] },
): Promise<void> {
  const rows = scope(db, held)
  const now = clock.now()
  const { state, attempt, updatedDate } = workspaceImports
  const isHeld = sql`${state} = ${held.state} and ${attempt} = ${held.attempt} and ${isInUse(workspaceImports.workspaceId)}`
  const guard = rows.update(workspaceImports, eq(workspaceImports.id, held.id), {
    ...{ leaseUntil: leaseFrom(now), ...change },
    updatedDate: sql`case when ${isHeld} then ${now.toISOString()} end` as unknown as string,
  })
  try {
    await db.batch([guard, ...statements] as never)
  } catch (error) {
    const [row] = await db
      .select({ isHeld: sql<number>`${isHeld}`, updatedDate })
      .from(workspaceImports)
      .where(rows.inWorkspace(workspaceImports, eq(workspaceImports.id, held.id)))
    if (row?.isHeld !== 1) throw new LostImport()
    throw error
  }
}

/** Part of the minute job: imports whose instance is gone get another one, and those of yesterday are deleted. */
export async function runImports({ db, backgroundRuns }: Services, now: Date): Promise<void> {
  const all = acrossWorkspaces(db, 'the minute job continues and deletes imports of every workspace')
  const { id, workspaceId, state, attempt, leaseUntil, updatedDate, endedDate } = workspaceImports
  const since = sql<string>`coalesce(${leaseUntil}, ${updatedDate})`
  const waiting = await all
    .select({ id, workspaceId, state, attempt, since })
    .from(workspaceImports)
    .where(
      and(
        isNull(endedDate),
        inArray(state, WORKING),
        sql`(${leaseUntil} is null or ${leaseUntil} <= ${now.toISOString()})`,
        isInUse(workspaceId),
      ),
    )
    .limit(MAX_BATCH)
  await createInstances<ImportJobParams>(
    backgroundRuns,
    waiting.map((row) => ({
      id: replaceableId(`${instanceOf(row)}-again`, { since: row.since, now, replaceAfterMs: 60_000 }),
      params: { kind: 'import', importId: row.id, workspaceId: row.workspaceId },
    })),
  )
  await deleteStaged(all)
  const due = new Date(now.getTime() - KEPT_MS).toISOString()
  await all.batch([
    all.delete(workspaceImports).where(lte(endedDate, due)),
    all
      .update(workspaceImports)
      .set({ endedDate: now.toISOString(), state: 'cancelled' })
      .where(and(inArray(state, ['uploading', 'checked']), isNull(endedDate), lt(updatedDate, due))),
  ])
}

/** Deletes what ended imports have put aside, as much as a minute allows. */
async function deleteStaged(all: Database): Promise<void> {
  const ended = all.select({ id: workspaceImports.id }).from(workspaceImports).where(gt(workspaceImports.endedDate, ''))
  const some = sql`select rowid from ${importRows} where ${inArray(importRows.importId, ended)} limit ${ROWS_AT_ONCE}`
  for (let batch = 0; batch < MAX_DELETIONS; batch++) {
    const { rowsAffected } = await all.delete(importRows).where(sql`rowid in (${some})`)
    if (rowsAffected < ROWS_AT_ONCE) return
  }
}
