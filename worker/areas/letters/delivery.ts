/** Sends what is in the outbox, after the answer and every minute. */
import { asc, eq, inArray, lt, lte, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { errorMessage, errorReport } from '#contract/errors.ts'
import { TOKEN_SECONDS } from '#contract/organization/letters.ts'
import { letters, letterTokens } from '#db/schema/index.ts'
import type { AppEnv } from '../../http/route.ts'
import type { Egress } from '../../ports/types.ts'
import type { Services } from '../../services.ts'
import { canSendLetters } from './outbox.ts'
import { letterText } from './texts.ts'
import { letterLink, makeToken } from './tokens.ts'

/** Minutes until a letter is tried again; after the last one it is given up. */
const RETRY_MINUTES = [1, 5, 30, 120, 480]
/** Claimed at once. They take less than the minute after which they would be claimed again. */
const BATCH = 20
const BATCHES_PER_RUN = 5
/** How long letters and their tokens are kept. */
const KEPT_DAYS = 30

type Letter = typeof letters.$inferSelect

/** Sends what is due behind the answer of this request. */
export function sendLettersLater(c: Context<AppEnv>): void {
  const sent = sendDue(c.get('services'))
  c.executionCtx.waitUntil(sent.catch((error: unknown) => console.error('letters:', errorReport(error))))
}

/** The minute job: retries, and forgets what is old. */
export async function sendDueLetters(services: Services, now: Date): Promise<void> {
  const { db } = services
  const old = new Date(now.getTime() - KEPT_DAYS * 24 * 60 * 60_000).toISOString()
  await db.batch([
    db.delete(letters).where(lt(letters.createdDate, old)),
    db.delete(letterTokens).where(lt(letterTokens.expiresDate, old)),
  ])
  for (let batch = 0; batch < BATCHES_PER_RUN; batch++) {
    if ((await sendDue(services, now)) < BATCH) return
  }
}

/** Returns how many letters were due. */
async function sendDue(services: Services, now = services.clock.now()): Promise<number> {
  if (!canSendLetters(services)) return 0
  const claimed = await claim(services, now)
  const { egress } = services.openOutside()
  await Promise.all(claimed.map((letter) => send(services, letter, egress)))
  return claimed.length
}

/** A claimed letter is due again later, in case that this worker dies; whoever asks meanwhile does not get it. */
function claim({ db }: Services, now: Date): Promise<Letter[]> {
  const due = db.select({ id: letters.id }).from(letters).where(lte(letters.dueDate, now.toISOString()))
  const retries = RETRY_MINUTES.map(
    (minutes, attempt) => sql`when ${attempt} then ${new Date(now.getTime() + minutes * 60_000).toISOString()}`,
  )
  return db
    .update(letters)
    .set({
      attempts: sql`${letters.attempts} + 1`,
      dueDate: sql`case ${letters.attempts} ${sql.join(retries, sql` `)} end`,
    })
    .where(inArray(letters.id, due.orderBy(asc(letters.dueDate)).limit(BATCH)))
    .returning()
}

async function send(services: Services, letter: Letter, egress: Egress): Promise<void> {
  const { db, clock, mail } = services
  const isLetter = eq(letters.id, letter.id)
  try {
    const link = await makeLink(services, letter)
    await mail.send({ to: letter.address, ...letterText(letter.kind, link, letter.data) }, egress)
    await db.update(letters).set({ sentDate: clock.now().toISOString(), dueDate: null, error: null }).where(isLetter)
  } catch (error) {
    await db
      .update(letters)
      .set({ error: errorMessage(error).slice(0, 300) })
      .where(isLetter)
  }
}

/** The token is made here, when the letter goes: no row ever has it. */
async function makeLink(services: Services, { kind, address, userId, data }: Letter): Promise<string> {
  const appUrl = services.config.appUrl ?? ''
  if (TOKEN_SECONDS[kind] === undefined) return letterLink(appUrl, kind)
  const { token, statements } = makeToken(services, { kind, address, userId, subject: data.subject ?? '' })
  await services.db.batch(statements)
  return letterLink(appUrl, kind, token)
}
