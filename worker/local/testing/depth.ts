/**
 * Returns how many cases a test tries that becomes surer with more of them. `npm test` tries enough to find a fault that was
 * seeded; `npm run test:deep` tries far more.
 */
export const byDepth = <Depth extends number | readonly number[]>(usual: Depth, deep: Depth): Depth =>
  process.env.HEDDLE_DEPTH === 'deep' ? deep : usual
