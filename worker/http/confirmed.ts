/** Routes that an unlocked, unattended browser must not reach want proof that its person is there. */
import { createMiddleware } from 'hono/factory'
import { HeddleError } from '#contract/errors.ts'
import { CONFIRM_IDENTITY, CONFIRMED_MINUTES } from '#contract/organization/security.ts'
import type { Clock } from '../ports/types.ts'
import type { Actor, AppEnv } from './route.ts'

export const checkConfirmed = createMiddleware<AppEnv>(async (c, next) => {
  if (c.get('route').confirmed) assertConfirmed(c.get('actor'), c.get('services').clock)
  await next()
})

/** Throws 409 `confirm_identity` when the session's last proof is too old. `POST /auth/confirm` gives a new one. */
export function assertConfirmed(actor: Actor, clock: Clock): void {
  if (actor.kind !== 'user') return
  const oldest = new Date(clock.now().getTime() - CONFIRMED_MINUTES * 60_000).toISOString()
  if (actor.confirmedDate === null || actor.confirmedDate < oldest) {
    throw new HeddleError('conflict', 'Confirm that it’s you to continue.', { error: CONFIRM_IDENTITY })
  }
}
