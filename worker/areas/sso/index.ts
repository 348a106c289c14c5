/** What other areas may import. */
export { readDefaultPlace } from './arrival.ts'
export { assertMayGive } from './may-give.ts'
export { voidAccount } from './voided-account.ts'
