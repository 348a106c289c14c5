/**
 * How long tests search that become surer with more cases. `npm test` searches enough to find a fault that was seeded;
 * `npm run test:deep` searches far longer.
 */
export const byDepth = (usual: number, deep: number): number => (process.env.HEDDLE_DEPTH === 'deep' ? deep : usual)
