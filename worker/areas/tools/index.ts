/** The exports of this area for other areas. */

export { toolUsages } from './store.ts'
