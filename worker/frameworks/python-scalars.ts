/** Reads plain scalars as PyYAML's safe loader does, whose rules are those of YAML 1.1 with exceptions of its own. */

/** A date keeps its text. */
export type ScalarReading =
  | { kind: 'text'; value: string }
  | { kind: 'date'; value: string }
  | { kind: 'whole' | 'number'; value: number }
  | { kind: 'flag'; value: boolean }
  | { kind: 'null'; value: null }

const NULL = /^(?:~|null|Null|NULL|)$/
const FLAG = /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/
const TRUE = /^(?:yes|true|on)$/i
const WHOLE =
  /^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][\d_]*)|[-+]?0x[\da-fA-F_]+|[-+]?[1-9][\d_]*(?::[0-5]?\d)+)$/
const NUMBER =
  /^(?:[-+]?\d[\d_]*\.[\d_]*(?:[eE][-+]\d+)?|\.\d[\d_]*(?:[eE][-+]\d+)?|[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const DATE =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.\d*)?(?:[ \t]*(?:Z|[-+](\d\d?)(?::(\d\d))?))?)?$/

/**
 * Returns the value of a scalar without quotes.
 * @throws Error for what Python refuses
 */
export function readPlainScalar(written: string): ScalarReading {
  if (NULL.test(written)) return { kind: 'null', value: null }
  if (FLAG.test(written)) return { kind: 'flag', value: TRUE.test(written) }
  if (WHOLE.test(written)) return { kind: 'whole', value: readWhole(written) }
  if (NUMBER.test(written)) return { kind: 'number', value: readNumber(written) }
  if (isDate(written)) return { kind: 'date', value: written }
  if (written === '=' || written === '<<') throw new Error(`Python cannot read a bare “${written}”: put it in quotes`)
  return { kind: 'text', value: written }
}

function readWhole(written: string): number {
  const { sign, digits } = parted(written.replaceAll('_', ''))
  if (digits.includes(':')) return sign * sexagesimal(digits)
  const isOctal = /^0[0-7]/.test(digits)
  const value = digits === '' ? Number.NaN : Number(isOctal ? `0o${digits}` : digits)
  if (Number.isNaN(value)) throw new Error(`Python cannot read the number ${written}`)
  // Zero has no sign.
  return value === 0 ? 0 : sign * value
}

function readNumber(written: string): number {
  const { sign, digits } = parted(written.replaceAll('_', '').toLowerCase())
  if (digits === '.inf') return sign * Number.POSITIVE_INFINITY
  if (digits === '.nan') return Number.NaN
  return sign * (digits.includes(':') ? sexagesimal(digits) : Number(digits))
}

function parted(written: string): { sign: number; digits: string } {
  const hasSign = /^[-+]/.test(written)
  return { sign: written.startsWith('-') ? -1 : 1, digits: hasSign ? written.slice(1) : written }
}

/** `1:30` is 90. */
const sexagesimal = (digits: string) => digits.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

/** @throws Error for a date that no calendar has */
function isDate(written: string): boolean {
  const parts = DATE.exec(written)
  if (!parts) return false
  const [year = 0, month = 0, day = 0, hour, minute = 0, second = 0] = parts.slice(1).map(Number)
  const hasTime = parts[4] !== undefined
  // A date alone needs all of its digits.
  if (!hasTime && written.length !== 10) return false
  const last = new Date(Date.UTC(2000, month, 0)).getUTCDate()
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && !isLeap ? 28 : last
  const fits = year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= days
  const timeFits = !hasTime || (Number(hour) < 24 && minute < 60 && second < 60)
  if (!fits || !timeFits) throw new Error(`Python takes ${written} for a date, and there is no such date`)
  return true
}
