/** What other areas may import. */
export { purgeWorkspaces } from './purge.ts'
