/** What other areas may use of predictions. */
export { endOrphans } from './end-orphans.ts'
