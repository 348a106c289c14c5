/** Lists what an upsert may override of a loader and its store, in Flowise's shape. */
import type { OverridableInput } from '#contract/chatflows/chatflows.ts'
import type { Database } from '#db/client.ts'
import { overridableInputs } from '../chatflows/index.ts'
import { type ComponentKind, findDefinition } from './components.ts'
import { loaderNotFound } from './loaders.ts'
import { readStore } from './read-stores.ts'
import type { StoreViewer } from './store-statements.ts'

/** Throws `not_found`. */
export async function storeConfigs(
  db: Database,
  viewer: StoreViewer,
  { id, loaderId }: { id: string; loaderId: string },
): Promise<OverridableInput[]> {
  const { loaders, vectorStoreConfig, embeddingConfig } = await readStore(db, viewer, id)
  const loader = loaders.find((each) => each.id === loaderId)
  if (!loader) throw loaderNotFound(loaderId)
  const parts: [ComponentKind, unknown][] = [
    ['loaders', loader.loaderId],
    ['splitters', loader.splitterId],
    ['vectorstore', vectorStoreConfig?.name],
    ['embeddings', embeddingConfig?.name],
  ]
  return parts.flatMap(([kind, name]) => {
    const definition = typeof name === 'string' ? findDefinition(kind, name) : undefined
    return definition ? overridableInputs({ id: `${name}_0`, label: definition.label }, definition.inputs) : []
  })
}
