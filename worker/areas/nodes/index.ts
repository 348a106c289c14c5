/** What other areas may use of the node catalogue. */
export { definitionsByName } from './catalogue.ts'
