import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import type { SessionUser } from '#contract/account/account.ts'
import { HeddleError } from '#contract/errors.ts'
import type { PasskeyAnswer, PasskeyQuestion } from '#contract/organization/passkeys.ts'
import { users } from '#db/schema/index.ts'
import type { AppEnv } from '../../../http/route.ts'
import { needsProvider } from '../index.ts'
import { noteSignIn } from '../note-sign-in.ts'
import { startSession } from '../start-session.ts'
import { newChallenge, type PasskeyPurpose } from './challenge.ts'
import { relyingParty } from './relying-party.ts'
import { usePasskey } from './verify.ts'

const ANYBODY: PasskeyPurpose = { purpose: 'sign-in', userId: null }

/** The request to the browser's passkeys. It names no account: the person picks one. */
export async function askPasskey(c: Context<AppEnv>, purpose = ANYBODY): Promise<PasskeyQuestion> {
  const challenge = await newChallenge(c.get('services'), purpose)
  return { challenge, rpId: relyingParty(c).id, userVerification: 'required', timeout: 300_000 }
}

/** The device has seen its owner, so a passkey stands for both steps. Throws `unauthorized`. */
export async function signInByPasskey(c: Context<AppEnv>, answer: PasskeyAnswer): Promise<SessionUser> {
  const passkey = await usePasskey(c, answer, ANYBODY)
  const [user] = passkey ? await c.get('services').db.select().from(users).where(eq(users.id, passkey.userId)) : []
  if (user?.status !== 'active') {
    const result = user ? 'disabled' : 'unknown_account'
    await noteSignIn(c, { userId: user?.id ?? null, method: 'passkey', result })
    throw new HeddleError('unauthorized', 'That passkey does not work here. Sign in with your password.')
  }
  if (await needsProvider(c.get('services'), { user, hasSecondStep: true })) {
    await noteSignIn(c, { userId: user.id, method: 'passkey', result: 'sso_required' })
    throw new HeddleError('unauthorized', 'Your organization asks you to sign in with its identity provider.')
  }
  return startSession(c, user.id, { method: 'passkey' })
}
