/** Which credentials a store uses: those of its loaders and of what embeds, keeps and reorders its chunks. */
import { tryParseJson } from '#contract/data/json.ts'
import { findAssets } from '#contract/flow/assets/assets.ts'
import type { Database } from '#db/client.ts'
import type { Tenant } from '#db/scope.ts'
import { recordUsages } from '../usages/index.ts'

interface Recorded {
  storeId: string
  /** The configs of all its components: JSON texts as they are stored, or values. */
  configs: unknown[]
}

/** Returns the statements that record a store's usages. They run after the one that saves it. */
export function recordStoreUsages(db: Database, tenant: Tenant, { storeId, configs }: Recorded) {
  const inputs = configs.map((config) => (typeof config === 'string' ? tryParseJson(config) : config))
  const assets = findAssets({ nodes: [{ data: { inputs: { inputs } } }] as never })
  return recordUsages(db, tenant, { owner: { kind: 'documentStore', id: storeId }, assets })
}
