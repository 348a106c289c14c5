/** What other areas may import. */
export { leaveWorkspace } from './leave.ts'
export { purgeWorkspaces } from './purge.ts'
