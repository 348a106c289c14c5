/** What other areas may import. */
export { join } from './accept.ts'
export { findInvitation, type OpenInvitation } from './for-address.ts'
