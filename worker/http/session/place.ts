import type { Context } from 'hono'
import { callerAddress } from '../caller-address.ts'
import type { AppEnv } from '../route.ts'
import { deviceOf } from './device.ts'

/** Returns from where and with what a request comes. */
export const placeOf = (c: Context<AppEnv>) => ({
  device: deviceOf(c.req.header('user-agent')),
  address: callerAddress(c),
  country: countryOf(c),
})

/** Two letters, where Cloudflare is in front and tells them; XX is its word for unknown. */
function countryOf(c: Context<AppEnv>): string | null {
  if (c.get('services').config.clientAddressHeader !== 'cf-connecting-ip') return null
  const given = c.req.header('cf-ipcountry') ?? ''
  return /^[A-Z][A-Z0-9]$/.test(given) && given !== 'XX' ? given : null
}
