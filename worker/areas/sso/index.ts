/** What other areas may import. */
export { provenDomain } from './arrival.ts'
export { voidAccount } from './enter.ts'
export { assertMayGive } from './may-give.ts'
export { methodsOf, needsProvider } from './methods.ts'
