/** What other areas may use of the node catalogue. */
export { definitions } from './catalogue.ts'
