import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import type { SignInMethod, SignInResult } from '#contract/organization/sessions.ts'
import { users } from '#db/schema/index.ts'
import type { AppEnv } from '../../http/route.ts'
import { placeOf } from '../../http/session/place.ts'
import { recordSignIn } from '../login-activity/index.ts'

interface SignInAttempt {
  /** Null: nobody's account. */
  userId: string | null
  /** Whose identity provider it was at, where it is nobody's account. */
  organizationId?: string | null
  method: SignInMethod
  result: SignInResult
}

/** Every attempt to sign in passes here once it is decided. Returns the statements that keep it. */
export function signInNote(c: Context<AppEnv>, attempt: SignInAttempt) {
  const { db, clock } = c.get('services')
  const { userId, result } = attempt
  const hasSignedIn = userId !== null && result === 'success'
  const lastLogin = clock.now().toISOString()
  return [
    recordSignIn(c.get('services'), { ...attempt, ...placeOf(c) }),
    ...(hasSignedIn ? [db.update(users).set({ lastLogin }).where(eq(users.id, userId))] : []),
  ] as const
}

export async function noteSignIn(c: Context<AppEnv>, attempt: SignInAttempt): Promise<void> {
  await c.get('services').db.batch(signInNote(c, attempt))
}
