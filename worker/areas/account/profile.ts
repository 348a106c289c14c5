import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import type * as z from 'zod'
import type { profileSchema } from '#contract/account/account.ts'
import { users } from '#db/schema/index.ts'
import { auditEvent } from '../../http/audit.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'

/** Changes the caller's own name; the same name again leaves no event. */
export async function saveProfile(
  context: Context<AppEnv>,
  actor: UserActor,
  { name }: z.infer<typeof profileSchema>,
): Promise<void> {
  if (name === actor.name) return
  const { db } = context.get('services')
  const target = { id: actor.userId, name }
  await db.batch([
    db.update(users).set({ name }).where(eq(users.id, actor.userId)),
    auditEvent(context, actor, {
      event: 'account.change-name',
      target,
      change: { name: { from: actor.name, to: name } },
      ofOrganization: true,
    }),
  ])
}
