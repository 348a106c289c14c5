import { toolDefinition } from '../definition.ts'
import type { ToolType } from '../types.ts'

const DEFAULT_ZONE = 'UTC'

export const currentDateTime: ToolType = {
  definition: toolDefinition({
    label: 'Current Date and Time',
    name: 'currentDateTime',
    type: 'CurrentDateTime',
    version: 1,
    description: 'Returns the current day, date and time',
    inputs: [
      {
        label: 'Time zone',
        name: 'timezone',
        type: 'string',
        default: DEFAULT_ZONE,
        placeholder: 'Europe/Berlin',
        description: 'Used when the model does not specify one',
        optional: true,
      },
    ],
  }),
  open: ({ config, clock }) => [
    {
      name: 'current_date_time',
      description: 'Returns the current day, date and time.',
      parameters: {
        type: 'object',
        properties: { timezone: { type: 'string', description: 'IANA time zone, for example America/New_York' } },
        additionalProperties: false,
      },
      hasEffect: false,
      call: async ({ timezone }) => describe(clock.now(), String(timezone || config.timezone || DEFAULT_ZONE)),
    },
  ],
}

/** @throws Error that names an unknown time zone */
function describe(now: Date, timezone: string) {
  const part = partsOf(now, timezone)
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
    day: part('weekday'),
    timezone,
    timezoneOffset: part('timeZoneName').replace('GMT', '') || '+00:00',
    iso8601: now.toISOString(),
    unix_timestamp: Math.floor(now.getTime() / 1000),
  }
}

function partsOf(now: Date, timeZone: string): (type: Intl.DateTimeFormatPartTypes) => string {
  const parts = formatter(timeZone).formatToParts(now)
  return (type) => parts.find((part) => part.type === type)?.value ?? ''
}

function formatter(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      weekday: 'long',
      timeZoneName: 'longOffset',
      hourCycle: 'h23',
    })
  } catch {
    throw new Error(`"${timeZone}" is not a time zone. Use a name such as Europe/Berlin.`)
  }
}
