/** What other areas may import. */
export { join } from './accept.ts'
export { invitationOf, type OpenInvitation } from './for-address.ts'
