/** The exports of this area for other areas. */
export { leaveWorkspace } from './leave.ts'
export { purgeWorkspaces } from './purge.ts'
