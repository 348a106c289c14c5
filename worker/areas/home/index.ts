/** What other areas may import. */
export { readRecentFlows } from './read-home.ts'
export { parseSketch, sketchOfFlow, sketchParts } from './sketch.ts'
