/** The receipts of writes, which tell what became of a write whose answer was lost (`hrana.ts`). */
import { lt } from 'drizzle-orm'
import { writeReceipts } from './schema/write-receipts.ts'
import type { Database } from './tenant-guard.ts'

/** Far longer than a batch may be under way. */
const KEPT_MS = 600_000

/** Returns a new id. Ids sort by time. */
export const newReceipt = (): string => `${beginningAt(Date.now())}-${crypto.randomUUID()}`

/** Part of the minute job. Deletes receipts that nobody asks for any more. */
export async function deleteOldReceipts({ db }: { db: Database }, now: Date): Promise<void> {
  await db.delete(writeReceipts).where(lt(writeReceipts.id, beginningAt(now.getTime() - KEPT_MS)))
}

const beginningAt = (ms: number): string => ms.toString(36).padStart(9, '0')
