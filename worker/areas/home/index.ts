/** The exports of this area for other areas. */
export { readRecentFlows } from './read-home.ts'
