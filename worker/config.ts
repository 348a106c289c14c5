/** Reads and validates the environment. A missing secret stops the start; there are no default secrets. */
import { parsePlatform } from '#contract/access/index.ts'
import type { Env } from './env.ts'
import type { Config } from './services.ts'

export function readConfig(env: Env): Config {
  if (!env.LIBSQL_URL) throw new Error('LIBSQL_URL is not set. Set it to the URL of the libSQL database')
  assertKey('MASTER_KEY', env.MASTER_KEY)
  assertKey('SESSION_KEY', env.SESSION_KEY)
  if (env.SETUP_TOKEN && env.SETUP_TOKEN.length < 16) throw new Error('SETUP_TOKEN must have at least 16 characters')
  return {
    platformType: parsePlatform(env.PLATFORM_TYPE),
    sessionKey: env.SESSION_KEY,
    allowPrivateHosts: listOf(env.ALLOW_PRIVATE_HOSTS ?? ''),
    setupToken: env.SETUP_TOKEN || undefined,
    runtimeVariables: runtimeVariables(env),
    publicHosts: env.PUBLIC_HOSTS === undefined ? undefined : listOf(env.PUBLIC_HOSTS.toLowerCase()),
    uiOrigin: env.UI_BASE_URL ? originOf(env.UI_BASE_URL) : undefined,
  }
}

const SERVER_SECRETS = ['MASTER_KEY', 'SESSION_KEY', 'LIBSQL_URL', 'LIBSQL_AUTH_TOKEN', 'MAIL_KEY', 'SETUP_TOKEN']

/** Every workspace can read these, so the server's own secrets are refused. */
function runtimeVariables(env: Env): Record<string, string> {
  const values: Record<string, unknown> = { ...env }
  const listed = listOf(env.RUNTIME_VARIABLES ?? '').map((name): [string, string] => {
    if (SERVER_SECRETS.includes(name))
      throw new Error(`RUNTIME_VARIABLES lists ${name}, which is a secret of the server`)
    const value = values[name]
    if (typeof value !== 'string') throw new Error(`RUNTIME_VARIABLES lists ${name}, which is not set`)
    return [name, value]
  })
  return Object.fromEntries(listed)
}

function originOf(url: string): string {
  const { protocol, origin, href } = URL.parse(url) ?? {}
  if (!origin || !/^https?:$/.test(protocol ?? '') || href !== `${origin}/`) {
    throw new Error(`UI_BASE_URL is "${url}", but must be an origin such as https://app.example.com`)
  }
  return origin
}

/** Comma-separated. */
const listOf = (text: string) => text.split(',').flatMap((item) => item.trim() || [])

function assertKey(name: string, value: string | undefined): void {
  if (!/^[A-Za-z0-9_-]{43}$/.test(value ?? '')) throw new Error(`${name} must be 32 random bytes in base64url`)
}
