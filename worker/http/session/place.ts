import type { Context } from 'hono'
import { callerAddress } from '../caller-address.ts'
import { deviceOf } from './device.ts'

/** Returns from where and with what a request comes. */
export const placeOf = (c: Context) => ({
  device: deviceOf(c.req.header('user-agent')),
  address: callerAddress(c),
  country: countryOf(c.req.header('cf-ipcountry')),
})

/** Two letters, where the platform tells them; XX is its word for unknown. */
function countryOf(given = ''): string | null {
  return /^[A-Z][A-Z0-9]$/.test(given) && given !== 'XX' ? given : null
}
