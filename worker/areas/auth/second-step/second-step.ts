/** The second step of signing in: after the right password, a code. */
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import type { SessionUser } from '#contract/account/account.ts'
import { HeddleError } from '#contract/errors.ts'
import { SECOND_STEP_MINUTES, SECOND_STEP_TRIES, SIGN_IN_AGAIN } from '#contract/organization/security.ts'
import { challenges } from '#db/schema/index.ts'
import { giveBack, takeFrom } from '../../../http/rate-limit.ts'
import type { AppEnv } from '../../../http/route.ts'
import { isKnownBrowser } from '../../../http/session/known-browser.ts'
import { randomToken, tokenHash } from '../../../http/session/secrets.ts'
import type { Services } from '../../../services.ts'
import { guessKey } from '../guess-key.ts'
import { noteSignIn } from '../note-sign-in.ts'
import { startSession } from '../start-session.ts'
import { useCode } from './use-code.ts'

/** Wrong codes allowed for one account, over all its challenges: whoever knows the password gets no more. */
const GUESSES = { max: 20, windowSeconds: 3600 }

/** Makes what the browser must send with the code, and the statement that stores it. */
export function askSecondStep({ db, clock }: Pick<Services, 'db' | 'clock'>, userId: string) {
  const challenge = randomToken()
  const expiresDate = new Date(clock.now().getTime() + SECOND_STEP_MINUTES * 60_000).toISOString()
  const row = { hash: tokenHash(challenge), kind: 'second-step', userId, data: {}, expiresDate } as const
  return { challenge, statement: db.insert(challenges).values(row) }
}

/** Signs in. Throws `unauthorized` for a wrong code, with `sign_in_again` when the challenge is over. */
export async function takeSecondStep(
  c: Context<AppEnv>,
  { challenge, code }: { challenge: string; code: string },
): Promise<SessionUser> {
  const services = c.get('services')
  const hash = tokenHash(challenge)
  const { userId, attempts } = await countTry(services, hash)
  const isKnown = await isKnownBrowser(c, userId)
  const guesses = { key: guessKey({ about: 'second step', userId, isKnown, otherwise: userId }), ...GUESSES }
  // Counted before the code is checked, so that parallel guesses count too.
  await takeFrom(services, [guesses])
  if (!(await useCode(services, userId, code))) {
    await noteSignIn(c, { userId, method: 'password', result: 'wrong_code' })
    throw attempts < SECOND_STEP_TRIES ? wrongCode() : challengeIsOver()
  }
  const isDone = [giveBack(services, guesses), services.db.delete(challenges).where(eq(challenges.hash, hash))]
  return startSession(c, userId, { method: 'password', beside: isDone })
}

/** Counts before anything is compared. Returns whose challenge it is. */
async function countTry({ db, clock }: Pick<Services, 'db' | 'clock'>, hash: string) {
  const [row] = await db
    .update(challenges)
    .set({ attempts: sql`${challenges.attempts} + 1` })
    .where(
      and(
        eq(challenges.hash, hash),
        eq(challenges.kind, 'second-step'),
        lt(challenges.attempts, SECOND_STEP_TRIES),
        gt(challenges.expiresDate, clock.now().toISOString()),
      ),
    )
    .returning({ userId: challenges.userId, attempts: challenges.attempts })
  if (!row?.userId) throw challengeIsOver()
  return { userId: row.userId, attempts: row.attempts }
}

function wrongCode(): HeddleError {
  return new HeddleError('unauthorized', 'code: That code is wrong or was used before. Enter the next one.', {
    field: 'code',
  })
}

function challengeIsOver(): HeddleError {
  return new HeddleError('unauthorized', 'Enter your email and password again.', { error: SIGN_IN_AGAIN })
}
