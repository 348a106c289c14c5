/** What other areas may import. */
export { sketchOf, sketchOfFlow, sketchParts } from './sketch.ts'
