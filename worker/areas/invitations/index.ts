/** The exports of this area for other areas. */
export { join } from './accept.ts'
export { findInvitation, type OpenInvitation } from './for-address.ts'
