/** Secrets of webhooks: encrypted with the workspace's key, shown once, and rotated with an overlap. */
import { and, eq, isNull, or, type SQL } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
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

type EncryptedSecrets = { trigger: Pick<TriggerRow, 'encryptedSecrets'>; wrappedKey: string }

/** Returns the valid secrets, the current one first; an empty list when there is none. */
export async function decryptSecrets({ cipher }: Services, row: EncryptedSecrets, now: Date): Promise<string[]> {
  if (row.trigger.encryptedSecrets === null) return []
  const opened = await cipher.decrypt(row.wrappedKey, row.trigger.encryptedSecrets)
  const { secret, previous, previousUntil } = opened as unknown as Secrets
  const isValid = previous !== undefined && previousUntil !== undefined && now.toISOString() < previousUntil
  return isValid ? [secret, previous] : [secret]
}

/** `address` is the id of the trigger, or of the flow whose Start node it is. Schedules sign their alerts. */
export interface SecretTarget {
  tenant: Tenant
  address: string
  allowed: FlowType[]
}

/** Keeps the previous secret valid for `overlapHours`. Throws `not_found`, or `conflict` when the secret was changed in the meantime. */
export async function rotateSecret(
  services: Services,
  target: SecretTarget,
  { secret = randomToken(), overlapHours }: RotateSecret,
): Promise<NewSecret> {
  const { db, cipher, clock } = services
  const now = clock.now()
  const { trigger, wrappedKey } = await readSecretTarget(services, target)
  const [previous] = overlapHours > 0 ? await decryptSecrets(services, { trigger, wrappedKey }, now) : []
  const until = previous === undefined ? null : new Date(now.getTime() + overlapHours * 3_600_000).toISOString()
  const secrets: Secrets = { secret, ...(previous !== undefined && until && { previous, previousUntil: until }) }
  const [changed] = await scope(db, target.tenant)
    .update(triggers, and(eq(triggers.id, trigger.id), isUnchanged(trigger)), {
      encryptedSecrets: await cipher.encrypt(wrappedKey, { ...secrets }),
      previousSecretUntil: until,
      updatedDate: now.toISOString(),
    })
    .returning({ id: triggers.id })
  if (!changed)
    throw new HeddleError('conflict', 'This secret was changed by someone else in the meantime. Reload and try again')
  return { secret }
}

/** Rejects all signed calls until a new secret is created. */
export async function removeSecret(services: Services, target: SecretTarget): Promise<void> {
  const { trigger } = await readSecretTarget(services, target)
  await scope(services.db, target.tenant).update(triggers, eq(triggers.id, trigger.id), {
    encryptedSecrets: null,
    previousSecretUntil: null,
    updatedDate: services.clock.now().toISOString(),
  })
}

const isUnchanged = ({ encryptedSecrets }: TriggerRow): SQL =>
  encryptedSecrets === null ? isNull(triggers.encryptedSecrets) : eq(triggers.encryptedSecrets, encryptedSecrets)

async function readSecretTarget({ db }: Services, { tenant, address, allowed }: SecretTarget) {
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
