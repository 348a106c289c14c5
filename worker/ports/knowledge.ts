import type { Knowledge } from './types.ts'

/** A port without document stores: every search fails. */
export const noKnowledge: Knowledge = {
  search: ({ store }) =>
    Promise.reject(new Error(`The document store "${store.replace(/^[^:]*:/, '')}" does not exist in this workspace`)),
}
