/** What other areas may use of API keys. */
export { mayGrant } from './permissions.ts'
