/** Statements that write the steps of a run, and its long texts. */
import { sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { TraceItem } from '#contract/runs/events.ts'
import type { Database } from '#db/client.ts'
import { storedText } from '#db/long-text.ts'
import { prepareStatement, slot, slotsFor } from '#db/prepared-statement.ts'
import { executionSteps, runTexts } from '#db/schema/index.ts'
import type { StepRow } from '../../engine/types.ts'
import { withoutCredentialIds } from './credential-ids.ts'
import { extractTexts, type KnownTexts, type StoredTexts } from './run-texts.ts'

type Statement = BatchItem<'sqlite'>

interface Steps {
  executionId: string
  rows: readonly StepRow[]
  known?: KnownTexts
  now: string
}

/**
 * Inserts steps, and before them the texts that they refer to.
 * @param known texts of the run that are stored already; those of these steps are added
 */
export function stepStatements(db: Database, { executionId, rows, known = new Map(), now }: Steps): Statement[] {
  const texts: StoredTexts = new Map()
  const steps = rows.map(({ withheld: _, sealed = null, isCopied = false, item, ...row }) => {
    const { rest, refs, added } = extractTexts(item, known)
    for (const [hash, text] of added) texts.set(hash, text)
    return insertStep(db, {
      ...{ ...row, executionId, sealed, isCopied },
      item: storedText(withoutCredentialIds(rest)),
      texts: refs,
    })
  })
  return [...textStatements(db, { executionId, texts, now }), ...steps]
}

/** Stores these texts of a run, unless they are stored already. The run's row must be there. */
export function textStatements(
  db: Database,
  { executionId, texts, now }: { executionId: string; texts: StoredTexts; now: string },
): Statement[] {
  const pages: Record<string, string>[] = []
  const large: Statement[] = []
  let room = 0
  for (const [hash, text] of texts) {
    if (text.length > PAGE_LENGTH) large.push(insertText(db, { executionId, hash, text, now }))
    else {
      if (text.length > room) {
        pages.push({})
        room = PAGE_LENGTH
      }
      Object.assign(pages.at(-1) as object, { [hash]: text })
      room -= text.length
    }
  }
  return [...pages.map((page) => insertTexts(db, { executionId, texts: JSON.stringify(page), now })), ...large]
}

/** Characters of the texts that one statement brings. */
const PAGE_LENGTH = 128 * 1024

const insertStep = prepareStatement((db) =>
  db.insert(executionSteps).values({
    ...slotsFor<typeof executionSteps.$inferInsert>(
      'executionId',
      'seq',
      'path',
      'nodeId',
      'takenOutputs',
      'texts',
      'sealed',
      'isCopied',
      'startedAt',
      'finishedAt',
    ),
    item: sql<TraceItem>`${slot('item')}`,
  }),
)

const insertText = prepareStatement((db) =>
  db
    .insert(runTexts)
    .values({
      ...slotsFor<typeof runTexts.$inferInsert>('executionId', 'hash', 'text'),
      createdDate: slot('now') as never,
    })
    .onConflictDoNothing(),
)

const insertTexts = prepareStatement((db) =>
  db
    .insert(runTexts)
    // Without the condition, SQLite would take `on conflict` for that of a join.
    .select(sql`select ${slot('executionId')}, key, value, ${slot('now')} from json_each(${slot('texts')}) where true`)
    .onConflictDoNothing(),
)
