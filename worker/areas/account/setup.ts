import type { SetupCheck } from '#contract/account/account.ts'
import { users } from '#db/schema/index.ts'
import type { Services } from '../../services.ts'

/** Returns who may register: in cloud anyone, elsewhere only the first user, who becomes the organization admin. */
export async function setupCheck({ db, config }: Pick<Services, 'db' | 'config'>): Promise<SetupCheck> {
  if (config.platformType === 'cloud') return { needsSetup: false, registrationOpen: true, needsToken: false }
  const [anybody] = await db.select({ id: users.id }).from(users).limit(1)
  return { needsSetup: !anybody, registrationOpen: !anybody, needsToken: !anybody && config.setupToken !== undefined }
}
