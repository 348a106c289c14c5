/** Checks what passkeys sign. */
import { Buffer } from 'node:buffer'
import { and, eq, lt, or } from 'drizzle-orm'
import type { Context } from 'hono'
import type { PasskeyAnswer, PasskeyRegistration } from '#contract/organization/passkeys.ts'
import { passkeys } from '#db/schema/index.ts'
import type { AppEnv } from '../../../http/route.ts'
import { type PasskeyPurpose, takeChallenge } from './challenge.ts'
import { relyingParty } from './relying-party.ts'

/** Loaded when the first passkey is used: most requests never need it. What it is made of wants the polyfill first. */
async function library() {
  await import('reflect-metadata')
  return { ...(await import('@simplewebauthn/server')), ...(await import('@simplewebauthn/server/helpers')) }
}

type Row = typeof passkeys.$inferSelect
type NewPasskey = Pick<Row, 'id' | 'publicKey' | 'counter' | 'transports' | 'isBackedUp'>

/** Returns the passkey that answered, and its use is kept; undefined when the answer proves nothing. */
export async function usePasskey(
  c: Context<AppEnv>,
  answer: PasskeyAnswer,
  purpose: PasskeyPurpose,
): Promise<Row | undefined> {
  const { db, clock } = c.get('services')
  const challenge = await takeChallenge({ db, clock }, answer.response.clientDataJSON, purpose)
  const [row] = await db.select().from(passkeys).where(eq(passkeys.id, answer.id))
  if (challenge === undefined || !row || (purpose.userId !== null && purpose.userId !== row.userId)) return undefined
  const counted = await verifyAnswer(c, { answer, challenge, row })
  if (!counted) return undefined
  // Of two uses with one count, one is a copy. Passkeys that are synced do not count: theirs stays 0.
  const isNewer = or(lt(passkeys.counter, counted.counter), eq(passkeys.counter, 0))
  const used = await db
    .update(passkeys)
    .set({ ...counted, lastUsedDate: clock.now().toISOString() })
    .where(and(eq(passkeys.id, row.id), isNewer))
    .returning({ id: passkeys.id })
  return used.length === 1 ? row : undefined
}

async function verifyAnswer(
  c: Context<AppEnv>,
  { answer, challenge, row }: { answer: PasskeyAnswer; challenge: string; row: Row },
): Promise<{ counter: number; isBackedUp: boolean } | undefined> {
  const { id, origin } = relyingParty(c)
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: { id: row.id, publicKey: new Uint8Array(row.publicKey), counter: row.counter },
    })
    if (!verified) return undefined
    return { counter: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp }
  } catch {
    // The library throws for every answer that does not fit.
    return undefined
  }
}

/** Returns what to keep of a new passkey; undefined when the answer does not fit its challenge. */
export async function readNewPasskey(
  c: Context<AppEnv>,
  answer: PasskeyRegistration,
  userId: string,
): Promise<NewPasskey | undefined> {
  const { clientDataJSON, attestationObject, transports } = answer.response
  const challenge = await takeChallenge(c.get('services'), clientDataJSON, { purpose: 'register', userId })
  if (challenge === undefined) return undefined
  const { id, origin } = relyingParty(c)
  const { verifyRegistrationResponse } = await library()
  try {
    if (!(await vouchesForNothing(attestationObject))) return undefined
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    })
    if (!verified) return undefined
    const { credential, credentialBackedUp } = registrationInfo
    return {
      id: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: transports ?? [],
      isBackedUp: credentialBackedUp,
    }
  } catch {
    return undefined
  }
}

/**
 * No maker's certificate is asked for, so none is read: its address for revocations is whatever it says, and would be
 * called.
 */
async function vouchesForNothing(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await library()
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}
