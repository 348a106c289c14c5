/** What other areas may import. */
export { needsProvider } from './methods.ts'
