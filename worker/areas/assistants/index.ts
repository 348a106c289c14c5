/** What other areas may import. */
export { flowDeletion } from './custom.ts'
