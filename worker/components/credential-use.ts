/** When credentials were last used, to the hour: most uses write nothing. */
import { inArray } from 'drizzle-orm'
import { credentials } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { CredentialRow } from '../oauth/stored-tokens.ts'
import type { Services } from '../services.ts'

const FRESH_MS = 60 * 60 * 1000

export interface CredentialUse {
  add(row: Pick<CredentialRow, 'id' | 'lastUsedDate'>): void
  /** Writes what was added and is more than an hour old; nothing otherwise. */
  statements(): ReturnType<typeof updateUse>[]
}

export function createCredentialUse({ db, clock }: Pick<Services, 'db' | 'clock'>, tenant: Tenant): CredentialUse {
  const stale = new Set<string>()
  return {
    add({ id, lastUsedDate }) {
      if (lastUsedDate === null || Date.parse(lastUsedDate) <= clock.now().getTime() - FRESH_MS) stale.add(id)
    },
    statements: () => (stale.size > 0 ? [updateUse(db, { tenant, ids: [...stale], now: clock.now() })] : []),
  }
}

/** Writes the use of one credential at once, where there is no batch that it could be part of. */
export async function writeCredentialUse(
  services: Pick<Services, 'db' | 'clock'>,
  tenant: Tenant,
  row: Pick<CredentialRow, 'id' | 'lastUsedDate'>,
): Promise<void> {
  const used = createCredentialUse(services, tenant)
  used.add(row)
  for (const statement of used.statements()) await statement
}

function updateUse(db: Services['db'], { tenant, ids, now }: { tenant: Tenant; ids: string[]; now: Date }) {
  return scope(db, tenant).update(credentials, inArray(credentials.id, ids), { lastUsedDate: now.toISOString() })
}
