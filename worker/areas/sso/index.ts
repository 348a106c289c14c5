/** What other areas may import. */
export { readDefaultPlace } from './arrival.ts'
export { assertMayGive } from './may-give.ts'
export { isSparedBySecondStep, methodsOf, needsProvider, provenDomain } from './methods.ts'
export { voidAccount } from './voided-account.ts'
