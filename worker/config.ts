/** Checks what the environment holds: a missing secret stops the start, it never becomes a default. */
import { parsePlatform } from '#contract/access/index.ts'
import type { Env } from './env.ts'
import type { Config } from './services.ts'

export function readConfig(env: Env): Config {
  if (!env.LIBSQL_URL) throw new Error('LIBSQL_URL is not set: the address of the libSQL database')
  assertKey('MASTER_KEY', env.MASTER_KEY)
  assertKey('SESSION_KEY', env.SESSION_KEY)
  if (env.SETUP_TOKEN && env.SETUP_TOKEN.length < 16) throw new Error('SETUP_TOKEN must have at least 16 characters')
  return {
    platformType: parsePlatform(env.PLATFORM_TYPE),
    sessionKey: env.SESSION_KEY,
    allowPrivateHosts: listOf(env.ALLOW_PRIVATE_HOSTS ?? ''),
    setupToken: env.SETUP_TOKEN || undefined,
    publicHosts: env.PUBLIC_HOSTS === undefined ? undefined : listOf(env.PUBLIC_HOSTS.toLowerCase()),
  }
}

/** Comma-separated. */
const listOf = (text: string) => text.split(',').flatMap((item) => item.trim() || [])

function assertKey(name: string, value: string | undefined): void {
  if (!/^[A-Za-z0-9_-]{43}$/.test(value ?? '')) throw new Error(`${name} must be 32 random bytes in base64url`)
}
