/** Local times of a time zone, and the effects of daylight saving on runs. Pure. */

const formats = new Map<string, Intl.DateTimeFormat>()

function formatToParts(at: number, zone: string): Record<string, string> {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formats.set(zone, format)
  }
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
}

/** Returns the zone's UTC offset in milliseconds. */
function offsetAt(at: number, zone: string): number {
  const { year, month, day, hour, minute, second } = formatToParts(at, zone)
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - Math.floor(at / 1000) * 1000
}

/** `2026-03-29` */
export function dateIn(zone: string, at: Date): string {
  const { year, month, day } = formatToParts(at.getTime(), zone)
  return `${year}-${month}-${day}`
}

/** `02:30` */
export function timeIn(zone: string, at: Date): string {
  const { hour, minute } = formatToParts(at.getTime(), zone)
  return `${hour}:${minute}`
}

const HOUR = 3_600_000

/**
 * Returns a note about the effect of daylight saving on a run, or undefined when there is none.
 * `others` are the neighboring runs.
 */
export function clockNote(
  { cron, timezone }: { cron: string; timezone: string },
  run: Date,
  others: readonly Date[],
): string | undefined {
  const at = run.getTime()
  const offset = offsetAt(at, timezone)
  const time = timeIn(timezone, run)
  const before = offsetAt(at - 60_000, timezone)
  if (before < offset && !matchesTime(cron, time)) {
    const missing = timeIn('UTC', new Date(at + before))
    return `Clocks go forward from ${missing} to ${time} that day, so it runs at ${time}.`
  }
  const later = offset - offsetAt(at + 3 * HOUR, timezone)
  if (later > 0 && offsetAt(at + later, timezone) === offset - later) {
    const both = others.some((other) => other.getTime() === at + later)
    return `Clocks go back that day, so ${time} occurs twice. It runs ${both ? 'both times' : 'the first time only'}.`
  }
  const earlier = offsetAt(at - 3 * HOUR, timezone) - offset
  const isSecond = earlier > 0 && offsetAt(at - earlier, timezone) === offset + earlier
  return isSecond ? `Clocks go back that day. This is the second ${time}.` : undefined
}

/** Returns true when the expression names this time, or has `*` or steps that match any time. */
function matchesTime(cron: string, time: string): boolean {
  const [minutes = '*', hours = '*'] = cron.trim().split(/\s+/).slice(-5)
  const holds = (field: string, value: number) =>
    !/^\d+(,\d+)*$/.test(field) || field.split(',').map(Number).includes(value)
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return holds(hours, hour) && holds(minutes, minute)
}

/** Returns the browser's time zone. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
