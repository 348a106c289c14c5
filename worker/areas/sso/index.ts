/** What other areas may import. */
export { assertMayGive } from './may-give.ts'
export { methodsOf, needsProvider, provenDomain } from './methods.ts'
export { voidAccount } from './voided-account.ts'
