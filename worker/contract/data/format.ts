/** Formats numbers and texts for people (spec section 9). */

const SIZES = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB']
const COUNTS = ['', 'k', 'M', 'G', 'T', 'P', 'E']

/** Bytes with two decimals in steps of 1024, up to YB: 1536 → `1.50 KB`. */
export function formatFileSize(bytes: number): string {
  if (!(bytes > 0)) return '0 Bytes'
  const { value, step } = scaled(bytes, { base: 1024, steps: SIZES.length - 1, decimals: 2 })
  return `${step === 0 ? value : value.toFixed(2)} ${SIZES[step]}`
}

/** Counts abbreviated in steps of 1000, at most one decimal: 1500 → `1.5k`, 2000000 → `2M`. */
export function formatCount(count: number): string {
  const { value, step } = scaled(Math.abs(count), { base: 1000, steps: COUNTS.length - 1, decimals: 1 })
  return `${count < 0 ? '-' : ''}${value}${COUNTS[step]}`
}

/** Cuts a text to `length` characters and adds three dots. Returns shorter texts unchanged. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length).join('')}...`
}

/** Divides until the rounded value is below the base, so that 999 950 becomes 1M and never 1000k. */
function scaled(value: number, by: { base: number; steps: number; decimals: number }): { value: number; step: number } {
  const round = (number: number) => Number(number.toFixed(by.decimals))
  let step = 0
  let rest = value
  while (step < by.steps && round(rest) >= by.base) {
    rest /= by.base
    step += 1
  }
  return { value: round(rest), step }
}
