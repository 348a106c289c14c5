import type { Knowledge } from './types.ts'

/** Searching document stores while none exist: every search says so. */
export const noKnowledge: Knowledge = {
  search: ({ store }) =>
    Promise.reject(new Error(`The document store "${store.replace(/^[^:]*:/, '')}" does not exist in this workspace`)),
}
