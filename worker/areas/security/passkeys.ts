/** A person's passkeys. */
import { Buffer } from 'node:buffer'
import { and, eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import {
  MOST_PASSKEYS,
  type Passkey,
  type PasskeyOptions,
  type PasskeyRegistration,
} from '#contract/organization/passkeys.ts'
import { passkeys, users } from '#db/schema/index.ts'
import { sendEmailsLater } from '../../emails/delivery.ts'
import { signInEvent } from '../../emails/notices.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { assertAddsPasskeys } from '../../http/session/managed-account.ts'
import { assertKeepsWayIn, newChallenge, readNewPasskey, relyingParty } from '../auth/index.ts'
import { assertKeepsSecondStep } from './last-second-step.ts'

/** EdDSA, ES256 and RS256, by their COSE numbers. */
const ALGORITHMS = [-8, -7, -257]

const isOwn = ({ userId }: UserActor, id: string) => and(eq(passkeys.id, id), eq(passkeys.userId, userId))

/** Throws `conflict` when the person has as many as allowed. */
export async function startPasskey(c: Context<AppEnv>, actor: UserActor): Promise<PasskeyOptions> {
  assertAddsPasskeys(actor)
  const services = c.get('services')
  const { userId } = actor
  const [own, owners] = await services.db.batch([
    services.db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)),
    services.db.select({ email: users.email }).from(users).where(eq(users.id, userId)),
  ])
  if (own.length >= MOST_PASSKEYS) {
    throw new HeddleError('conflict', `You have ${MOST_PASSKEYS} passkeys. Remove one first.`)
  }
  return {
    challenge: await newChallenge(services, { purpose: 'register', userId }),
    rp: { id: relyingParty(c).id, name: 'Heddle' },
    user: { id: Buffer.from(userId).toString('base64url'), name: owners[0]?.email ?? '', displayName: actor.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: 300_000,
    attestation: 'none',
    excludeCredentials: own.map(({ id }) => ({ id, type: 'public-key' })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  }
}

/** Throws `bad_request` for an answer that does not fit, and `conflict` for a passkey that is known already. */
export async function addPasskey(
  c: Context<AppEnv>,
  actor: UserActor,
  given: { name: string; passkey: PasskeyRegistration },
): Promise<Passkey> {
  assertAddsPasskeys(actor)
  const { db, clock } = c.get('services')
  const made = await readNewPasskey(c, given.passkey, actor.userId)
  if (!made) {
    throw new HeddleError('bad_request', 'passkey: That passkey could not be added. Try again.', { field: 'passkey' })
  }
  const [known] = await db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.id, made.id))
  if (known) throw new HeddleError('conflict', 'That passkey was added already.')
  const row = { id: made.id, name: given.name, createdDate: clock.now().toISOString(), lastUsedDate: null }
  await db.batch([
    db.insert(passkeys).values({ ...made, ...row, userId: actor.userId }),
    ...signInEvent(c, actor, { event: 'account.add-passkey', target: row, detail: row.name }),
  ])
  sendEmailsLater(c)
  return row
}

/** Throws `not_found` for passkeys of others. */
export async function renamePasskey(c: Context<AppEnv>, actor: UserActor, { id, name }: { id: string; name: string }) {
  const renamed = await c
    .get('services')
    .db.update(passkeys)
    .set({ name })
    .where(isOwn(actor, id))
    .returning({ id: passkeys.id })
  if (renamed.length === 0) throw noPasskey()
}

/** Throws `not_found` for passkeys of others, and `conflict` for the only way in and for who must keep it. */
export async function removePasskey(c: Context<AppEnv>, actor: UserActor, id: string): Promise<void> {
  const { db } = c.get('services')
  const [row] = await db.select({ id: passkeys.id, name: passkeys.name }).from(passkeys).where(isOwn(actor, id))
  if (!row) throw noPasskey()
  await assertKeepsWayIn(db, actor.userId, { passkeyId: id })
  await assertKeepsSecondStep(c.get('services'), actor.userId, { passkeyId: id })
  await db.batch([
    db.delete(passkeys).where(isOwn(actor, id)),
    ...signInEvent(c, actor, { event: 'account.remove-passkey', target: row, detail: row.name }),
  ])
  sendEmailsLater(c)
}

const noPasskey = () => new HeddleError('not_found', 'Passkey not found')
