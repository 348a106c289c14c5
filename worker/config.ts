/** Reads and validates the environment. A missing secret stops the start; there are no default secrets. */
import { parsePlatform } from '#contract/access/index.ts'
import type { Env } from './env.ts'
import type { Config } from './services.ts'

export function readConfig(env: Env): Config {
  if (!env.LIBSQL_URL) throw new Error('LIBSQL_URL is not set. Set it to the URL of the libSQL database')
  assertKey('MASTER_KEY', env.MASTER_KEY)
  if (env.MASTER_KEY_PREVIOUS) assertKey('MASTER_KEY_PREVIOUS', env.MASTER_KEY_PREVIOUS)
  assertKey('SESSION_KEY', env.SESSION_KEY)
  const platformType = parsePlatform(env.PLATFORM_TYPE)
  if (platformType === 'cloud') assertEmails(env)
  if (env.SETUP_TOKEN && env.SETUP_TOKEN.length < 16) throw new Error('SETUP_TOKEN must have at least 16 characters')
  if (env.METRICS_TOKEN && env.METRICS_TOKEN.length < 16)
    throw new Error('METRICS_TOKEN must have at least 16 characters')
  return {
    platformType,
    sessionKey: env.SESSION_KEY,
    allowPrivateHosts: listOf(env.ALLOW_PRIVATE_HOSTS ?? ''),
    setupToken: env.SETUP_TOKEN || undefined,
    setupLogin: setupLogin(env),
    runtimeVariables: runtimeVariables(env),
    publicCallsPerMinute: parsePositive('PUBLIC_CALLS_PER_MINUTE', env.PUBLIC_CALLS_PER_MINUTE || '120'),
    clientAddressHeader: parseHeader('CLIENT_ADDRESS_HEADER', env.CLIENT_ADDRESS_HEADER),
    anonymousBytesPerDay: anonymousBytesPerDay(env, platformType),
    publicHosts: env.PUBLIC_HOSTS === undefined ? undefined : listOf(env.PUBLIC_HOSTS.toLowerCase()),
    uiOrigin: env.UI_BASE_URL ? parseOrigin('UI_BASE_URL', env.UI_BASE_URL) : undefined,
    platformAdminEmail: env.PLATFORM_ADMIN_EMAIL?.trim().toLowerCase() || undefined,
    appUrl: env.APP_URL ? parseOrigin('APP_URL', env.APP_URL) : undefined,
    compressesResponses: env.COMPRESS_RESPONSES === 'true',
    logsRequests: parseSwitch('LOG_REQUESTS', env.LOG_REQUESTS),
    metricsToken: env.METRICS_TOKEN || undefined,
    dnsUrl: env.DNS_URL || 'https://cloudflare-dns.com/dns-query',
  }
}

function parseSwitch(name: string, value = ''): boolean {
  if (!['', 'true', 'false'].includes(value)) throw new Error(`${name} is "${value}", but must be true or false`)
  return value === 'true'
}

const MB = 1024 * 1024
/** In cloud, where workspaces share a database with others. */
const CLOUD_MB_PER_DAY = '100'

function anonymousBytesPerDay(env: Env, platformType: Config['platformType']): number | undefined {
  const megabytes = env.ANONYMOUS_MB_PER_DAY || (platformType === 'cloud' ? CLOUD_MB_PER_DAY : '')
  return megabytes ? parsePositive('ANONYMOUS_MB_PER_DAY', megabytes) * MB : undefined
}

function setupLogin({ SETUP_USERNAME: username, SETUP_PASSWORD: password }: Env): Config['setupLogin'] {
  if (!username && !password) return undefined
  if (!username || !password) throw new Error('Set both SETUP_USERNAME and SETUP_PASSWORD, or neither')
  if (password.length < 8) throw new Error('SETUP_PASSWORD must have at least 8 characters')
  return { username, password }
}

/** In cloud nobody gets an account without an email. */
function assertEmails(env: Env): void {
  if (!env.MAIL_URL && !env.OUTBOX) {
    throw new Error('In cloud people confirm their addresses. Set MAIL_URL, MAIL_KEY and MAIL_FROM to send them emails')
  }
  if (!env.APP_URL) throw new Error('APP_URL is not set. Set it to the address of the pages, which emails link to')
}

const SERVER_SECRETS = [
  'MASTER_KEY',
  'MASTER_KEY_PREVIOUS',
  'SESSION_KEY',
  'LIBSQL_URL',
  'LIBSQL_AUTH_TOKEN',
  'MAIL_KEY',
  'SETUP_TOKEN',
  'METRICS_TOKEN',
  'SETUP_PASSWORD',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
]

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

function parseOrigin(name: string, url: string): string {
  const { protocol, origin, href } = URL.parse(url) ?? {}
  if (!origin || !/^https?:$/.test(protocol ?? '') || href !== `${origin}/`) {
    throw new Error(`${name} is "${url}", but must be an origin such as https://app.example.com`)
  }
  return origin
}

function parsePositive(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name} is "${text}", but must be a whole number above 0`)
  return Number(text)
}

function parseHeader(name: string, text = ''): string | undefined {
  const header = text.trim().toLowerCase()
  if (/^[a-z0-9-]*$/.test(header)) return header || undefined
  throw new Error(`${name} is "${text}", but must be the name of one header, such as X-Forwarded-For`)
}

/** Comma-separated. */
const listOf = (text: string) => text.split(',').flatMap((item) => item.trim() || [])

function assertKey(name: string, value: string | undefined): void {
  if (!/^[A-Za-z0-9_-]{43}$/.test(value ?? '')) throw new Error(`${name} must be 32 random bytes in base64url`)
}
