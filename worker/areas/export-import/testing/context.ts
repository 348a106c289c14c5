import type { ImportContext } from '../plan.ts'

/** Nothing of the file is there, and the workspace is empty. */
export const emptyContext: ImportContext = {
  taken: new Set(),
  own: new Set(),
  flowIds: new Set(),
  flowNames: new Set(),
  credentialIds: new Set(),
  assetIds: new Set(),
  flows: new Map(),
  assistants: new Map(),
  templates: new Map(),
  templateCount: 0,
  tools: new Map(),
  variables: new Map(),
  stores: { existing: new Map(), ids: new Set(), owners: new Map(), usedChunks: 0 },
}
