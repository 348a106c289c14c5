/** Forgets the receipts by which a delivery would be known again, when nobody sends it any more. */
import { lte } from 'drizzle-orm'
import { triggerReceipts } from '#db/schema/index.ts'
import type { Services } from '../../../services.ts'

/** Part of the minute job. */
export async function purgeReceipts({ db }: Services, now: Date): Promise<void> {
  await db.delete(triggerReceipts).where(lte(triggerReceipts.expiresDate, now.toISOString()))
}
