/** The challenge that a passkey signs: random, for one purpose and person, single use. */
import { Buffer } from 'node:buffer'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { challenges } from '#db/schema/index.ts'
import { randomToken, tokenHash } from '../../../http/session/secrets.ts'
import type { Services } from '../../../services.ts'

const MINUTES = 5

export interface PasskeyPurpose {
  purpose: 'sign-in' | 'register' | 'confirm'
  /** Null: whoever holds the passkey. */
  userId: string | null
}

export async function newChallenge(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { purpose, userId }: PasskeyPurpose,
): Promise<string> {
  const challenge = randomToken()
  const expiresDate = new Date(clock.now().getTime() + MINUTES * 60_000).toISOString()
  await db
    .insert(challenges)
    .values({ hash: tokenHash(challenge), kind: 'passkey', userId, data: { purpose }, expiresDate })
  return challenge
}

/** Uses up the challenge that a browser says it answers. Returns undefined when it was none of this purpose and person. */
export async function takeChallenge(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  clientDataJSON: string,
  { purpose, userId }: PasskeyPurpose,
): Promise<string | undefined> {
  const challenge = challengeIn(clientDataJSON)
  if (challenge === undefined) return undefined
  const [row] = await db
    .delete(challenges)
    .where(
      and(
        eq(challenges.hash, tokenHash(challenge)),
        eq(challenges.kind, 'passkey'),
        gt(challenges.expiresDate, clock.now().toISOString()),
        userId === null ? isNull(challenges.userId) : eq(challenges.userId, userId),
      ),
    )
    .returning({ data: challenges.data })
  return row?.data.purpose === purpose ? challenge : undefined
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}
