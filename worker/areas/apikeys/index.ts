/** What other areas may import. */
export { mayGrant } from './permissions.ts'
