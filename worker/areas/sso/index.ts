/** The exports of this area for other areas. */
export { readDefaultPlace } from './arrival.ts'
export { assertMayGive } from './may-give.ts'
export { voidAccount } from './voided-account.ts'
