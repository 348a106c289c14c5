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

/** Every attempt to sign in passes here once it is decided. */
export async function noteSignIn(c: Context<AppEnv>, attempt: SignInAttempt): Promise<void> {
  const { db, clock } = c.get('services')
  await recordSignIn(c.get('services'), { ...attempt, ...placeOf(c) })
  const { userId, result } = attempt
  if (userId === null || result !== 'success') return
  await db.update(users).set({ lastLogin: clock.now().toISOString() }).where(eq(users.id, userId))
}
