/** The choice of emails that a person gets of an organization, besides those about their account. */
import { eq } from 'drizzle-orm'
import type { EmailSettings } from '#contract/account/account.ts'
import { organizationMembers } from '#db/schema/index.ts'
import { organizationScope } from '#db/scope.ts'
import type { UserActor } from '../../http/route.ts'
import type { Services } from '../../services.ts'

export async function readEmailSettings({ db }: Services, actor: UserActor): Promise<EmailSettings> {
  const [member] = await db
    .select({ questions: organizationMembers.getsQuestionEmails })
    .from(organizationMembers)
    .where(isOwn({ db }, actor))
  return { questions: member?.questions ?? true }
}

export async function saveEmailSettings(
  { db }: Services,
  actor: UserActor,
  { questions }: EmailSettings,
): Promise<EmailSettings> {
  await db.update(organizationMembers).set({ getsQuestionEmails: questions }).where(isOwn({ db }, actor))
  return { questions }
}

const isOwn = ({ db }: Pick<Services, 'db'>, actor: UserActor) =>
  organizationScope(db, actor).inOrganization(organizationMembers, eq(organizationMembers.userId, actor.userId))
