/** Settings of a store: embeddings, vector store, search and refresh. */
import { eq, sql } from 'drizzle-orm'
import type { DocumentStore, SaveVectorConfig, ScheduleConfig } from '#contract/document-stores/stores.ts'
import { HeddleError } from '#contract/errors.ts'
import { checkSchedule, nextRun } from '#contract/triggers/schedule.ts'
import { documentLoaders, documentStores } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { type ComponentKind, findDefinition } from './components.ts'
import { answeredStore, storeNotFound, storeRead } from './read-stores.ts'
import type { StoreViewer } from './store-statements.ts'
import { recordStoreUsages } from './store-usages.ts'

/** @param isStrict what is left out becomes null; otherwise it stays */
export async function saveVectorConfig(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: StoreViewer,
  { given, isStrict }: { given: SaveVectorConfig; isStrict: boolean },
): Promise<DocumentStore> {
  const { storeId } = given
  const rows = scope(db, viewer.tenant)
  const isStore = eq(documentStores.id, storeId)
  const [[store], loaders] = await db.batch([
    db.select().from(documentStores).where(rows.foundInWorkspace(documentStores, isStore)),
    rows.select(documentLoaders, eq(documentLoaders.storeId, storeId)),
  ])
  if (!store) throw storeNotFound(storeId)
  const now = clock.now()
  const kept = <Kept>(stored: Kept) => (isStrict ? null : stored)
  const { embeddingName, vectorStoreName, recordManagerName, searchConfig, scheduleConfig } = given
  const next = {
    embeddingConfig: checkChoice('embeddings', embeddingName, given.embeddingConfig) ?? kept(store.embeddingConfig),
    vectorStoreConfig:
      checkChoice('vectorstore', vectorStoreName, given.vectorStoreConfig) ?? kept(store.vectorStoreConfig),
    recordManagerConfig: printed(recordManagerName, given.recordManagerConfig) ?? kept(store.recordManagerConfig),
    searchConfig: jsonOf(searchConfig) ?? kept(store.searchConfig),
    ...(isStrict || scheduleConfig !== undefined ? timing(scheduleConfig, now) : {}),
  }
  // To clear one with `update`, name it null.
  if (embeddingName === null) next.embeddingConfig = null
  if (vectorStoreName === null) next.vectorStoreConfig = null
  if (recordManagerName === null) next.recordManagerConfig = null
  if (searchConfig === null) next.searchConfig = null
  const isOther = next.embeddingConfig !== store.embeddingConfig || next.vectorStoreConfig !== store.vectorStoreConfig
  const configs = [...loaders.map((loader) => loader.loaderConfig), ...Object.values(next)]
  const reads = storeRead(db, viewer, storeId)
  const answers = (await db.batch([
    rows.update(documentStores, isStore, {
      ...next,
      // Chunks are found by their words until they are embedded anew.
      status: sql`case
        when ${documentStores.status} in ('UPSERTING', 'SYNCING', 'EMPTY') then ${documentStores.status}
        when ${documentStores.status} = 'UPSERTED' and not ${isOther} then 'UPSERTED'
        else 'SYNC' end` as never,
      updatedDate: now.toISOString(),
    }),
    ...recordStoreUsages(db, viewer.tenant, { storeId, configs }),
    ...reads,
  ] as never)) as unknown[]
  return answeredStore(answers.slice(-reads.length) as never, storeId)
}

type Values = Record<string, unknown> | null | undefined

/** Throws `bad_request` for a component that does not exist. */
function checkChoice(
  kind: ComponentKind & ('embeddings' | 'vectorstore'),
  name: string | null | undefined,
  config: Values,
) {
  const field = kind === 'embeddings' ? 'embeddingName' : 'vectorStoreName'
  if (name && !findDefinition(kind, name)) throw refusal(field, `There is no component "${name}". Choose another one`)
  return printed(name, config)
}

const printed = (name: string | null | undefined, config: Values) =>
  name ? JSON.stringify({ name, config: config ?? {} }) : undefined

const jsonOf = (value: unknown) => (value === undefined || value === null ? undefined : JSON.stringify(value))

function timing(schedule: ScheduleConfig | null | undefined, now: Date) {
  if (!schedule) return { scheduleConfig: null, nextRefresh: null }
  const problem = checkSchedule(schedule)
  if (problem) throw refusal(`scheduleConfig.${problem.field}`, problem.message)
  return {
    scheduleConfig: JSON.stringify(schedule),
    nextRefresh: nextRun(schedule, now)?.toISOString() ?? null,
  }
}

const refusal = (field: string, message: string) => new HeddleError('bad_request', `${field}: ${message}`, { field })
