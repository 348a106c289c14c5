/** Sends what is in the outbox, after the answer and every minute. */
import { asc, eq, inArray, lt, lte, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { errorMessage, errorReport } from '#contract/errors.ts'
import { EMAIL_SETTINGS_PAGE, SECURITY_PAGE, TOKEN_SECONDS } from '#contract/organization/emails.ts'
import { emails, emailTokens } from '#db/schema/index.ts'
import type { AppEnv } from '../http/route.ts'
import type { Egress } from '../ports/types.ts'
import type { Services } from '../services.ts'
import { canSendEmail } from './queue.ts'
import { emailText } from './texts.ts'
import { emailLink, makeToken } from './tokens.ts'

/** Minutes until an email is tried again; after the last one it is given up. */
const RETRY_MINUTES = [1, 5, 30, 120, 480]
/** Claimed at once. They take less than the minute after which they would be claimed again. */
const BATCH = 20
const BATCHES_PER_RUN = 5
/** How long emails and their tokens are kept. */
const KEPT_DAYS = 30

type Email = typeof emails.$inferSelect

/** Sends what is due behind the answer of this request. */
export function sendEmailsLater(c: Context<AppEnv>): void {
  const sent = sendDue(c.get('services'))
  c.executionCtx.waitUntil(sent.catch((error: unknown) => console.error('emails:', errorReport(error))))
}

/** The minute job: retries, and forgets what is old. */
export async function sendDueEmails(services: Services, now: Date): Promise<void> {
  const { db } = services
  const old = new Date(now.getTime() - KEPT_DAYS * 24 * 60 * 60_000).toISOString()
  await db.batch([
    db.delete(emails).where(lt(emails.createdDate, old)),
    db.delete(emailTokens).where(lt(emailTokens.expiresDate, old)),
  ])
  for (let batch = 0; batch < BATCHES_PER_RUN; batch++) {
    if ((await sendDue(services, now)) < BATCH) return
  }
}

/** Returns how many emails were due. */
async function sendDue(services: Services, now = services.clock.now()): Promise<number> {
  if (!canSendEmail(services)) return 0
  const claimed = await claim(services, now)
  const { egress } = services.openOutside()
  await Promise.all(claimed.map((email) => send(services, email, egress)))
  return claimed.length
}

/** A claimed email is due again later, in case that this worker dies; whoever asks meanwhile does not get it. */
function claim({ db }: Services, now: Date): Promise<Email[]> {
  const due = db.select({ id: emails.id }).from(emails).where(lte(emails.dueDate, now.toISOString()))
  const retries = RETRY_MINUTES.map(
    (minutes, attempt) => sql`when ${attempt} then ${new Date(now.getTime() + minutes * 60_000).toISOString()}`,
  )
  return db
    .update(emails)
    .set({
      attempts: sql`${emails.attempts} + 1`,
      dueDate: sql`case ${emails.attempts} ${sql.join(retries, sql` `)} end`,
    })
    .where(inArray(emails.id, due.orderBy(asc(emails.dueDate)).limit(BATCH)))
    .returning()
}

async function send(services: Services, email: Email, egress: Egress): Promise<void> {
  const { db, clock, mail, config } = services
  const isEmail = eq(emails.id, email.id)
  try {
    const link = await makeLink(services, email)
    const [securityPage = '', emailSettingsPage = ''] = [SECURITY_PAGE, EMAIL_SETTINGS_PAGE].map(
      (page) => `${config.appUrl ?? ''}${page}`,
    )
    const { createdDate } = email
    const text = emailText(email.kind, { link, securityPage, emailSettingsPage, createdDate }, email.data)
    await mail.send({ to: email.address, ...text }, egress)
    await db.update(emails).set({ sentDate: clock.now().toISOString(), dueDate: null, error: null }).where(isEmail)
  } catch (error) {
    await db
      .update(emails)
      .set({ error: errorMessage(error).slice(0, 300) })
      .where(isEmail)
  }
}

/** The token is made here, when the email goes: no row ever has it. */
async function makeLink(services: Services, { kind, address, userId, data }: Email): Promise<string> {
  const appUrl = services.config.appUrl ?? ''
  if (TOKEN_SECONDS[kind] === undefined) return `${emailLink(appUrl, kind)}${data.page ?? ''}`
  const { token, statements } = makeToken(services, { kind, address, userId, subject: data.subject ?? '' })
  await services.db.batch(statements)
  return emailLink(appUrl, kind, token)
}
