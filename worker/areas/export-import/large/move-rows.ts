/**
 * Moves the rows that a piece has put aside to their tables, in one batch that ends with their deletion: repeated, it
 * moves nothing. Once an import writes, no row may stop it, so a row that no longer fits is left out, for the report.
 */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { BundleKey, LeftOut } from '#contract/export-import/export-import.ts'
import type { Database } from '#db/client.ts'
import {
  chatflows,
  chatMessageFeedback,
  chatMessages,
  documentChunks,
  documentSources,
  documentStores,
  executionSteps,
  executions,
  importRows,
  runTexts,
} from '#db/schema/index.ts'
import { acrossWorkspaces, scope, type WorkspaceTable } from '#db/scope.ts'
import type { Statement } from '../../../runs/records/run-record.ts'
import { MAX_NAMES } from '../left-out.ts'
import { ID_TAKEN } from './fit-items.ts'
import type { ImportRow } from './import-rows.ts'
import { isOfPiece, longListOf, STAGED_LISTS, type Staged, type StagedList } from './staged-rows.ts'

type ImportKey = Pick<ImportRow, 'id' | 'workspaceId'>

/** Lists whose rows have ids of their own; those of the others belong to runs of the same piece. */
type Identified = Exclude<StagedList, 'texts' | 'steps'>

interface Destination {
  key: BundleKey
  table: WorkspaceTable
  /** The tables of what a row belongs to, by the columns that name it. */
  owners: Record<string, WorkspaceTable>
  /** Why a row is left out that another row prevents. */
  taken: string
  /** Why a row is left out whose owner is gone. */
  orphaned: string
}

const FLOW_DELETED = 'Its flow was deleted, or left out, while the file was imported'

const DESTINATIONS: Record<Identified, Destination> = {
  executions: {
    ...{ key: 'Execution', table: executions, taken: ID_TAKEN, orphaned: FLOW_DELETED },
    owners: { agentflowId: chatflows },
  },
  messages: {
    ...{ key: 'ChatMessage', table: chatMessages, taken: ID_TAKEN, orphaned: FLOW_DELETED },
    owners: { chatflowid: chatflows },
  },
  feedback: {
    ...{ key: 'ChatMessageFeedback', table: chatMessageFeedback },
    owners: { chatflowid: chatflows, messageId: chatMessages },
    taken: 'Its message was rated while the file was imported',
    orphaned: 'Its message was deleted, or left out, while the file was imported',
  },
  chunks: {
    ...{ key: 'DocumentStoreFileChunk', table: documentChunks, taken: ID_TAKEN },
    owners: { storeId: documentStores, sourceId: documentSources },
    orphaned: 'Its document was deleted, or left out, while the file was imported',
  },
}
const IDENTIFIED = Object.keys(DESTINATIONS) as Identified[]
const WHYS = ['taken', 'orphaned'] as const
const leftOutList = (list: Identified, why: (typeof WHYS)[number]) => `${why}.${list}`

const inRow = (name: string, rows: SQL = sql`${importRows}`): SQL => sql`json_extract(${rows}.row, ${`$.${name}`})`

interface Moving {
  piece: number
  staged: Staged
}

/** Returns the statements that move the rows of a piece. */
export function moveStatements(db: Database, held: ImportKey, { piece, staged }: Moving): Statement[] {
  const lists = STAGED_LISTS.filter((list) => staged.has(list))
  const at = { importId: held.id, piece }
  const kept = lists.flatMap((list) => [
    list,
    ...[...(staged.get(list)?.long ?? [])].map((column) => longListOf(list, column)),
  ])
  return [
    ...IDENTIFIED.filter((list) => staged.has(list)).map((list) => leaveOut(db, held, { list, piece })),
    ...lists.map((list) => insertRows(db, held, { list, piece, staged })),
    ...kept.map((list) => db.delete(importRows).where(isOfPiece(at, list))),
  ]
}

interface PieceOfList {
  piece: number
  list: Identified
}

/** Renames the list of those rows of a piece that no longer fit, of which only the ids stay. */
function leaveOut(db: Database, held: ImportKey, { list, piece }: PieceOfList): Statement {
  const { table, owners } = DESTINATIONS[list]
  const all = acrossWorkspaces(db, 'an id is free only when no workspace uses it')
  const isRated = list === 'feedback' ? sql` or other.message_id = ${inRow('messageId')}` : sql``
  const isTaken = sql`exists (select 1 from ${table} other where other.id = ${inRow('id')}${isRated})`
  const owned = Object.entries(owners).map(
    ([column, owner]) =>
      sql`exists (select 1 from ${owner} owner where owner.id = ${inRow(column)} and owner.workspace_id = ${held.workspaceId})`,
  )
  return all.run(sql`update ${importRows} set
      list = iif(${isTaken}, ${leftOutList(list, 'taken')}, ${leftOutList(list, 'orphaned')}),
      row = json_object('id', ${inRow('id')})
    where ${isOfPiece({ importId: held.id, piece }, list)} and (${isTaken} or not (${sql.join(owned, sql` and `)}))`)
}

function insertRows(db: Database, held: ImportKey, { list, piece, staged }: Moving & { list: StagedList }): Statement {
  const seen = staged.get(list)
  const at = { importId: held.id, piece }
  const value = (name: string): SQL => {
    const short = inRow(name)
    if (!seen?.long.has(name)) return RUN_LINKS.has(name) ? linkOf(short, held) : short
    return sql`coalesce((
      select long.row from ${importRows} long
      where long.import_id = ${held.id} and long.list = ${longListOf(list, name)} and long.seq = ${importRows.seq}
    ), ${short})`
  }
  const isHere = isOfPiece(at, list)
  if (list === 'texts' || list === 'steps') {
    const run = sql`run`
    const runs = sql`select ${inRow('id', run)} from ${importRows} run where ${isOfPiece(at, 'executions', run)}`
    const from = sql`from ${importRows} where ${isHere} and ${inRow('executionId')} in (${runs}) order by ${importRows.seq}`
    if (list === 'texts')
      return db.run(sql`insert into ${runTexts} (execution_id, hash, text, created_date)
        select ${inRow('executionId')}, ${value('hash')}, ${value('text')}, ${value('createdDate')} ${from}`)
    return db.run(sql`insert into ${executionSteps} (execution_id, seq, path, node_id, item, started_at, finished_at)
      select ${inRow('executionId')}, ${value('seq')}, ${value('path')}, ${value('nodeId')}, ${value('item')},
        ${value('startedAt')}, ${value('finishedAt')} ${from}`)
  }
  const values = Object.fromEntries([...(seen?.columns ?? [])].map((name) => [name, value(name)]))
  const from = sql`from ${importRows} where ${isHere} order by ${importRows.seq}`
  return scope(db, held).insertFound(DESTINATIONS[list].table, { values, from })
}

/** Columns that name a run, without the database's knowledge. */
const RUN_LINKS = new Set(['executionId', 'replayOf', 'parentExecutionId'])

/** The id of a run; null when the run was left out because another workspace had taken its id. */
const linkOf = (id: SQL, { workspaceId }: ImportKey): SQL =>
  sql`iif(exists (select 1 from ${executions} other where other.id = ${id} and other.workspace_id <> ${workspaceId}), null, ${id})`

/** Returns the rows that were left out while others were moved, as a report lists them. */
export async function readLeftOut(db: Database, { id: importId }: ImportKey): Promise<LeftOut[]> {
  const places = new Map(
    IDENTIFIED.flatMap((list) => WHYS.map((why) => [leftOutList(list, why), { list, why }] as const)),
  )
  const first = sql`select row ->> 'id' id from ${importRows} named
    where named.import_id = ${importId} and named.list = ${importRows.list} order by named.seq limit ${MAX_NAMES}`
  const found = await db
    .select({
      list: importRows.list,
      count: sql<number>`count(*)`,
      names: sql<string>`(select json_group_array(id) from (${first}))`,
    })
    .from(importRows)
    .where(and(eq(importRows.importId, importId), inArray(importRows.list, [...places.keys()])))
    .groupBy(importRows.list)
  return found.flatMap(({ list: place, count, names }) => {
    const at = places.get(place)
    if (!at) return []
    const { key, ...whys } = DESTINATIONS[at.list]
    return { key, names: JSON.parse(names), count, why: whys[at.why] }
  })
}
