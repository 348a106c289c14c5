/** A webhook's secrets: kept under the workspace's key, told once, and replaced without a gap. */
import { and, eq, isNull, or, type SQL } from 'drizzle-orm'
import type { FlowType } from '#contract/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import type { NewSecret, RotateSecret } from '#contract/triggers/index.ts'
import { chatflows, triggers, workspaces } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { randomToken } from '../../../http/session/secrets.ts'
import type { Services } from '../../../services.ts'
import { assertAllowed } from '../../chatflows/index.ts'
import type { TriggerRow } from '../rows.ts'
import { endedLast, isAt } from './find-webhook.ts'

interface Secrets {
  secret: string
  previous?: string
  /** ISO. */
  previousUntil?: string
}

type Sealed = { trigger: Pick<TriggerRow, 'encryptedSecrets'>; wrappedKey: string }

/** Those that count at this time, the current one first; none when nobody has made one. */
export async function secretsOf({ cipher }: Services, sealed: Sealed, now: Date): Promise<string[]> {
  if (sealed.trigger.encryptedSecrets === null) return []
  const opened = await cipher.decrypt(sealed.wrappedKey, sealed.trigger.encryptedSecrets)
  const { secret, previous, previousUntil } = opened as unknown as Secrets
  const counts = previous !== undefined && previousUntil !== undefined && now.toISOString() < previousUntil
  return counts ? [secret, previous] : [secret]
}

/** Whose: the address is the trigger's id, or that of the flow whose webhook it is. A schedule signs its alerts. */
export interface Place {
  tenant: Tenant
  address: string
  allowed: FlowType[]
}

/** The secret before it counts on for a while. Throws `not_found`, or `conflict` when somebody else makes one as well. */
export async function rotateSecret(
  services: Services,
  place: Place,
  { secret = randomToken(), overlapHours }: RotateSecret,
): Promise<NewSecret> {
  const { db, cipher, clock } = services
  const now = clock.now()
  const { trigger, wrappedKey } = await readPlace(services, place)
  const [previous] = overlapHours > 0 ? await secretsOf(services, { trigger, wrappedKey }, now) : []
  const until = previous === undefined ? null : new Date(now.getTime() + overlapHours * 3_600_000).toISOString()
  const secrets: Secrets = { secret, ...(previous !== undefined && until && { previous, previousUntil: until }) }
  const [changed] = await scope(db, place.tenant)
    .update(triggers, and(eq(triggers.id, trigger.id), stillHolds(trigger)), {
      encryptedSecrets: await cipher.encrypt(wrappedKey, { ...secrets }),
      previousSecretUntil: until,
      updatedDate: now.toISOString(),
    })
    .returning({ id: triggers.id })
  if (!changed) throw new HeddleError('conflict', 'Somebody else has just changed this secret. Look at it again.')
  return { secret }
}

/** From now on nobody can call it until it has a new one, unless it asks for no signature. */
export async function removeSecret(services: Services, place: Place): Promise<void> {
  const { trigger } = await readPlace(services, place)
  await scope(services.db, place.tenant).update(triggers, eq(triggers.id, trigger.id), {
    encryptedSecrets: null,
    previousSecretUntil: null,
    updatedDate: services.clock.now().toISOString(),
  })
}

const stillHolds = ({ encryptedSecrets }: TriggerRow): SQL =>
  encryptedSecrets === null ? isNull(triggers.encryptedSecrets) : eq(triggers.encryptedSecrets, encryptedSecrets)

async function readPlace({ db }: Services, { tenant, address, allowed }: Place) {
  const [row] = await db
    .select({ trigger: triggers, wrappedKey: workspaces.wrappedKey, type: chatflows.type })
    .from(triggers)
    .innerJoin(workspaces, eq(workspaces.id, triggers.workspaceId))
    .innerJoin(chatflows, eq(chatflows.id, triggers.flowId))
    .where(scope(db, tenant).inWorkspace(triggers, or(eq(triggers.id, address), isAt(address))))
    .orderBy(endedLast)
    .limit(1)
  if (!row) throw new HeddleError('not_found', `Webhook ${address} not found`)
  assertAllowed(row.type, allowed)
  return row
}
