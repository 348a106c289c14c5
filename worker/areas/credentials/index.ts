/** What other areas may use of credentials. */
export { openCredential } from './open.ts'
