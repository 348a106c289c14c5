/** Estimates the chunks, tokens and cost of an upsert before it runs. */
import { and, eq, max, sql } from 'drizzle-orm'
import type { Estimate, EstimateRequest } from '#contract/document-stores/estimate.ts'
import { HeddleError } from '#contract/errors.ts'
import { documentChunks, documentStores } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { openSearchIndex } from '#db/search-index/search-index.ts'
import { credentialIds } from '../../components/credentials.ts'
import { openContext } from '../../components/knowledge/store-parts.ts'
import { openWorkspaceComponents } from '../../components/workspace-components.ts'
import { embedders } from '../../models/embeddings/index.ts'
import type { Embeddings } from '../../models/embeddings/types.ts'
import type { Services } from '../../services.ts'

/** Where more texts are missing than this, all are taken to be. */
const MAX_COUNTED = 20_000

/** Throws `not_found`. */
export async function estimateUpsert(
  services: Services,
  tenant: Tenant,
  { storeId, docId, embeddingName, embeddingConfig }: EstimateRequest,
): Promise<Estimate> {
  const { db } = services
  const rows = scope(db, tenant)
  const ofStore = eq(documentChunks.storeId, storeId)
  const { hash, tokens, isEnabled } = documentChunks
  const counted = and(ofStore, eq(isEnabled, true), docId ? eq(documentChunks.docId, docId) : undefined)
  // Equal texts are embedded once.
  const texts = db
    .select({ tokens: max(tokens).as('tokens') })
    .from(documentChunks)
    .where(rows.foundInWorkspace(documentChunks, counted))
    .groupBy(hash)
    .as('texts')
  const [stores, [all]] = await db.batch([
    rows.select(documentStores, eq(documentStores.id, storeId)),
    db.select({ chunks: sql<number>`count(*)`, tokens: sql<number>`coalesce(sum(${texts.tokens}), 0)` }).from(texts),
  ])
  if (stores.length === 0) throw new HeddleError('not_found', 'Document store not found')
  const total = all ?? { chunks: 0, tokens: 0 }
  if (!embeddingName) return { ...total, price: null, isEmbedded: false }
  const embeddings = await tryOpen(services, tenant, { name: embeddingName, config: embeddingConfig ?? {} })
  const searchIndex = await openSearchIndex(db, tenant, storeId)
  const isKnown = embeddings !== undefined && searchIndex !== undefined && isOf(searchIndex.embedder, embeddings)
  const missing = isKnown ? (await searchIndex.missingHashes(MAX_COUNTED)).length : MAX_COUNTED
  const chunks = missing < MAX_COUNTED ? Math.min(missing, total.chunks) : total.chunks
  const rest = total.chunks === 0 ? 0 : Math.round((total.tokens * chunks) / total.chunks)
  const price = embeddings?.price === undefined ? null : (rest / 1_000_000) * embeddings.price
  return { chunks, tokens: rest, price, isEmbedded: true }
}

/** A vector store elsewhere is named after its embedder in the search index. */
const isOf = (embedder: string | null, { identity }: Embeddings) =>
  embedder === identity || Boolean(embedder?.startsWith(`${identity} in `))

/** Undefined while its inputs are not filled in. */
async function tryOpen(
  services: Services,
  tenant: Tenant,
  { name, config }: { name: string; config: Record<string, unknown> },
): Promise<Embeddings | undefined> {
  const type = embedders.find(({ definition }) => definition.name === name)
  if (!type) throw new HeddleError('bad_request', `There are no embeddings "${name}"`, { field: 'embeddingName' })
  const { egress, signal, readCredential, withVariables } = await openWorkspaceComponents(
    services,
    tenant,
    credentialIds(config),
  )
  try {
    const context = { egress, signal, readCredential, withVariables, clock: services.clock }
    return type.open(await openContext(type, config, context))
  } catch {
    return undefined
  }
}
