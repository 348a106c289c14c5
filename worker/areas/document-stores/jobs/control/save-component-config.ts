/** Saves the components that a call chooses for a store, where it chooses any. */
import { eq, sql } from 'drizzle-orm'
import { MAX_COMPONENT_CHARS } from '#contract/document-stores/limits.ts'
import { HeddleError } from '#contract/errors.ts'
import { documentStores } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../../../services.ts'
import { type ComponentKind, findDefinition } from '../../components.ts'
import { storeNotFound } from '../../read-stores.ts'
import { parseConfig } from '../job-context.ts'

interface Part {
  name?: string | undefined
  config?: Record<string, unknown> | undefined
}

interface Choices {
  storeId: string
  embedding?: Part | undefined
  vectorStore?: Part | undefined
  /** Kept for programs that read it: what it does is part of every store here. */
  recordManager?: Part | undefined
}

/** A choice without a name changes inputs of the one that is saved. Throws `bad_request` and `not_found`. */
export async function saveComponentConfig(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  tenant: Tenant,
  { storeId, embedding, vectorStore, recordManager }: Choices,
): Promise<void> {
  const rows = scope(db, tenant)
  const isStore = eq(documentStores.id, storeId)
  const [store] = await rows.select(documentStores, isStore)
  if (!store) throw storeNotFound(storeId)
  if (!embedding && !vectorStore && !recordManager) return
  const { embeddingConfig, vectorStoreConfig, recordManagerConfig } = store as typeof documentStores.$inferSelect
  const next = {
    embeddingConfig: embedding ? changed(embeddingConfig, embedding, ['embeddings', 'embedding']) : embeddingConfig,
    vectorStoreConfig: vectorStore
      ? changed(vectorStoreConfig, vectorStore, ['vectorstore', 'vectorStore'])
      : vectorStoreConfig,
    recordManagerConfig: recordManager
      ? merged(recordManagerConfig, recordManager, 'recordManager')
      : recordManagerConfig,
  }
  const isOther = next.embeddingConfig !== embeddingConfig || next.vectorStoreConfig !== vectorStoreConfig
  if (!isOther && next.recordManagerConfig === recordManagerConfig) return
  // Its chunks are found by their words until they are embedded anew.
  const status = sql`case when ${documentStores.status} = 'UPSERTED' and ${isOther} then 'SYNC' else ${documentStores.status} end`
  await rows.update(documentStores, isStore, {
    ...next,
    status: status as unknown as 'SYNC',
    updatedDate: clock.now().toISOString(),
  })
}

function changed(saved: string | null, part: Part, [kind, field]: [ComponentKind, string]): string {
  const name = part.name ?? parseConfig(saved).name
  if (typeof name !== 'string' || !findDefinition(kind, name))
    throw new HeddleError('bad_request', `${field}: There is no component "${name ?? ''}". Choose another one`, {
      field,
    })
  return merged(saved, { ...part, name }, field) as string
}

/** Inputs of a component that stays are kept where they are not given. Null without a name. */
function merged(saved: string | null, { name: given, config }: Part, field: string): string | null {
  const before = parseConfig(saved)
  const name = given ?? before.name
  if (typeof name !== 'string') return null
  const same = before.name === name ? (before.config as Record<string, unknown> | undefined) : undefined
  const text = JSON.stringify({ name, config: { ...same, ...config } })
  if (text.length > MAX_COMPONENT_CHARS) {
    const most = MAX_COMPONENT_CHARS.toLocaleString('en')
    throw new HeddleError('bad_request', `${field}: Its inputs may have ${most} characters. Shorten them`, { field })
  }
  return text
}
