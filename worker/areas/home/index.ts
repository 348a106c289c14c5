/** What other areas may import. */
export { readRecentFlows } from './read-home.ts'
export { sketchOf, sketchOfFlow, sketchParts } from './sketch.ts'
