/** The states of stores, loaders and sources, named as in Flowise. */

/**
 * EMPTY: no loaders. STALE: a loader has changed since it was read. SYNC: every chunk is found by its words. UPSERTING: a
 * job works on it. UPSERTED: every chunk is found by its meaning too, or by its words where no embeddings are chosen.
 */
export const STORE_STATES = ['EMPTY', 'SYNC', 'SYNCING', 'STALE', 'NEW', 'UPSERTING', 'UPSERTED'] as const
export type StoreState = (typeof STORE_STATES)[number]

/** NEW: saved, never read. SYNCING: saved or being read. SYNC: its chunks are what it says. STALE: some were not read. */
export const LOADER_STATES = ['NEW', 'SYNCING', 'SYNC', 'STALE'] as const
export type LoaderState = (typeof LOADER_STATES)[number]

/** NEW: not read yet. SYNC: read. FAILED: unreadable, `error` says why. GONE: no longer at its origin. */
export const SOURCE_STATES = ['NEW', 'SYNC', 'FAILED', 'GONE'] as const

/** The reason of a stale store whose chunks no job has indexed to the end. */
export const UNINDEXED = 'Some of its chunks are missing from keyword search. Index it again.'

/**
 * Returns the state that a store is shown in: as stored, unless a loader is not in sync (compat: lists and details say
 * STALE then).
 */
export function shownState(stored: StoreState, loaders: readonly LoaderState[]): StoreState {
  if (stored === 'UPSERTING' || stored === 'SYNCING') return stored
  if (loaders.length === 0) return 'EMPTY'
  return loaders.every((state) => state === 'SYNC') ? stored : 'STALE'
}
