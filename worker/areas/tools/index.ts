/** What other areas may import. */

export { toolUsages } from './store.ts'
