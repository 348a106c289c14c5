/** What other areas may use of conversations. */
export { countMessages } from './store.ts'
