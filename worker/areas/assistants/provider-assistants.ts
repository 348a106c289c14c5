/** The workspace's entries for assistants at a provider. A save goes to the provider first, and is kept when it succeeded. */
import { eq } from 'drizzle-orm'
import type { Assistant, CreateAssistant, Details, UpdateAssistant } from '#contract/assistants/assistants.ts'
import {
  type ProviderDetails,
  type ProviderType,
  providerDetailsSchema,
  readProviderDetails,
} from '#contract/assistants/provider-assistants.ts'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { assistants } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { checked } from './checked.ts'
import { openProvider } from './provider.ts'
import { readAssistant } from './store.ts'

/** Throws `bad_request` with the wrong field, or `unprocessable` with the provider's message. */
export async function createAtProvider(
  services: Services,
  tenant: Tenant,
  { type, credential = null, iconSrc = null, details: given }: CreateAssistant & { type: ProviderType },
): Promise<Assistant> {
  const details = await saveThere(services, tenant, { type, credential, given })
  const now = services.clock.now().toISOString()
  const id = crypto.randomUUID()
  const row = { id, type, credential, iconSrc, details: JSON.stringify(details), createdDate: now, updatedDate: now }
  await scope(services.db, tenant).insert(assistants, row)
  return readAssistant(services, tenant, id)
}

/** Throws like `createAtProvider`. */
export async function updateAtProvider(
  services: Services,
  tenant: Tenant,
  { row, values }: { row: Assistant & { type: ProviderType }; values: UpdateAssistant },
): Promise<Assistant> {
  const { id, type } = row
  const { details: change, credential = row.credential, iconSrc = row.iconSrc } = values
  const stored = tryParseJson(row.details)
  const before = isRecord(stored) ? stored : {}
  const given = { ...(change ?? before), id: before.id }
  const details = await saveThere(services, tenant, { type, credential, given })
  const updatedDate = services.clock.now().toISOString()
  const changes = { details: JSON.stringify(details), credential, iconSrc, updatedDate }
  await scope(services.db, tenant).update(assistants, eq(assistants.id, id), changes)
  return readAssistant(services, tenant, id)
}

/** @param both also deletes the assistant at its provider; throws `unprocessable` when that fails, and keeps the entry */
export async function deleteProviderAssistant(
  services: Services,
  tenant: Tenant,
  { row, both }: { row: Assistant & { type: ProviderType }; both: boolean },
) {
  const details = readProviderDetails(row.details)
  if (both && details?.id) {
    const { type, credential } = row
    const provider = await openProvider(services, tenant, { type, credential, basepath: details.basepath })
    await provider.delete(details.id)
  }
  const deleted = await scope(services.db, tenant)
    .delete(assistants, eq(assistants.id, row.id))
    .returning({ id: assistants.id })
  return { raw: [], affected: deleted.length }
}

interface Saving {
  type: ProviderType
  credential: string | null
  given: Details
}

async function saveThere(
  services: Services,
  tenant: Tenant,
  { type, credential, given }: Saving,
): Promise<ProviderDetails> {
  const details = checked(providerDetailsSchema, given)
  const provider = await openProvider(services, tenant, { type, credential, basepath: details.basepath })
  const { id } = await provider.save(details)
  return { ...details, id }
}
