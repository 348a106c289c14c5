/** Routes that an unlocked, unattended browser must not reach want proof that its person is there. */
import { createMiddleware } from 'hono/factory'
import { HeddleError } from '#contract/errors.ts'
import { CONFIRM_IDENTITY, CONFIRMED_MINUTES } from '#contract/organization/security.ts'
import type { AppEnv } from './route.ts'

/** Throws 409 `confirm_identity` when the session's last proof is too old. `POST /auth/confirm` gives a new one. */
export const checkConfirmed = createMiddleware<AppEnv>(async (c, next) => {
  const actor = c.get('actor')
  if (actor.kind === 'user' && c.get('route').confirmed) {
    const oldest = new Date(c.get('services').clock.now().getTime() - CONFIRMED_MINUTES * 60_000).toISOString()
    if (actor.confirmedDate === null || actor.confirmedDate < oldest) {
      throw new HeddleError('conflict', 'Confirm that it’s you to go on.', { error: CONFIRM_IDENTITY })
    }
  }
  await next()
})
