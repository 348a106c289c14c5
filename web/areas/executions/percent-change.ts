/** `+50 %`, `the same`; nothing where no share can be told. */
export function percentChange({ a, b }: { a: number | null; b: number | null }): string {
  if (a === b) return 'the same'
  if (a === null || b === null || a === 0) return '–'
  const percent = Math.round(((b - a) / a) * 100)
  return percent === 0 ? 'about the same' : `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`
}
