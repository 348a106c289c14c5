/** Returns the change from `a` to `b` such as `+50%`, or a dash when it can't be computed. */
export function percentChange({ a, b }: { a: number | null; b: number | null }): string {
  if (a === null || b === null) return '–'
  if (a === b) return 'No change'
  if (a === 0) return '–'
  const percent = Math.round(((b - a) / a) * 100)
  return percent === 0 ? '< 1%' : `${percent > 0 ? '+' : '−'}${Math.abs(percent)}%`
}
