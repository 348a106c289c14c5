// @defends third-host-poses
// @defends misspelled-setting-switches
// @defends variable-reads-server
import { expect, it } from 'vitest'
import { readConfig } from './config.ts'
import type { Env } from './env.ts'

const key = 'A'.repeat(43)
const env: Env = {
  LIBSQL_URL: 'http://localhost:1',
  MASTER_KEY: key,
  SESSION_KEY: key,
  BACKGROUND_RUNS: { createBatch: async () => [], deleteBatch: async () => [] },
  FILES: { put: async () => {}, get: async () => null, delete: async () => {} },
  ASSETS: { fetch: async () => new Response() },
}

const cloud: Env = {
  ...env,
  PLATFORM_TYPE: 'cloud',
  APP_URL: 'https://app.example.com/',
  MAIL_URL: 'https://mail.example.com',
}

it('reads the environment', () => {
  expect(readConfig({ ...cloud, ALLOW_PRIVATE_HOSTS: 'localhost:11434, ,10.0.0.1 ' })).toEqual({
    platformType: 'cloud',
    sessionKey: key,
    allowPrivateHosts: ['localhost:11434', '10.0.0.1'],
    publicCallsPerMinute: 120,
    clientAddressHeader: undefined,
    anonymousBytesPerDay: 100 * 1024 * 1024,
    publicHosts: undefined,
    uiOrigin: undefined,
    setupToken: undefined,
    runtimeVariables: {},
    appUrl: 'https://app.example.com',
    compressesResponses: false,
    logsRequests: false,
    dnsUrl: 'https://cloudflare-dns.com/dns-query',
  })
  expect(readConfig({ ...env, PUBLIC_HOSTS: 'Heddle.example, b.example:8080' })).toMatchObject({
    publicHosts: ['heddle.example', 'b.example:8080'],
  })
  expect(readConfig({ ...env, PUBLIC_CALLS_PER_MINUTE: '600' })).toMatchObject({ publicCallsPerMinute: 600 })
  expect(readConfig({ ...env, ANONYMOUS_MB_PER_DAY: '20' })).toMatchObject({ anonymousBytesPerDay: 20 * 1024 * 1024 })
  expect(readConfig({ ...env, COMPRESS_RESPONSES: 'true' })).toMatchObject({ compressesResponses: true })
  expect(readConfig({ ...env, LOG_REQUESTS: 'true' })).toMatchObject({ logsRequests: true })
  expect(() => readConfig({ ...env, LOG_REQUESTS: 'yes' })).toThrow('LOG_REQUESTS is "yes", but must be true or false')
  expect(readConfig({ ...env, PUBLIC_HOSTS: '' })).toMatchObject({ publicHosts: [] })
  expect(readConfig(env)).toMatchObject({ platformType: 'open source', allowPrivateHosts: [] })
})

it('reads the header that names callers', () => {
  expect(readConfig({ ...env, CLIENT_ADDRESS_HEADER: ' X-Forwarded-For' }).clientAddressHeader).toBe('x-forwarded-for')
  expect(readConfig({ ...env, CLIENT_ADDRESS_HEADER: '' }).clientAddressHeader).toBeUndefined()
  expect(() => readConfig({ ...env, CLIENT_ADDRESS_HEADER: 'true, false' })).toThrow('CLIENT_ADDRESS_HEADER')
})

it.each(['0', '-1', '1.5', 'many', '1e9'])('Heddle does not start with %s public calls a minute', (given) => {
  expect(() => readConfig({ ...env, PUBLIC_CALLS_PER_MINUTE: given })).toThrow('PUBLIC_CALLS_PER_MINUTE')
})

it.each(['LIBSQL_URL', 'MASTER_KEY', 'SESSION_KEY'])('Heddle does not start without %s', (name) => {
  expect(() => readConfig({ ...env, [name]: undefined } as unknown as Env)).toThrow(name)
  expect(() => readConfig({ ...env, [name]: '' })).toThrow(name)
})

it.each(['secret', 'A'.repeat(42), `${'A'.repeat(42)} `])('Heddle does not start with the key %j', (weak) => {
  expect(() => readConfig({ ...env, SESSION_KEY: weak })).toThrow('SESSION_KEY')
})

it.each([
  ['', 'open source'],
  ['open source', 'open source'],
  ['open-source', 'open source'],
  ['cloud', 'cloud'],
  ['enterprise', 'enterprise'],
])('takes the platform %j for %s', (PLATFORM_TYPE, platformType) => {
  expect(readConfig({ ...cloud, PLATFORM_TYPE })).toMatchObject({ platformType })
})

it.each(['Enterprise', 'cloud ', 'CLOUD', 'toString', 'opensource!'])(
  'Heddle does not start on the platform %j',
  (value) => {
    expect(() => readConfig({ ...env, PLATFORM_TYPE: value })).toThrow(`PLATFORM_TYPE is "${value}", but must be`)
  },
)

it.each(['https://app.example.com', 'https://APP.example.com:443/'])(
  'takes pages from the origin %s',
  (UI_BASE_URL) => {
    expect(readConfig({ ...env, UI_BASE_URL })).toMatchObject({ uiOrigin: 'https://app.example.com' })
  },
)

it.each(['*', 'null', 'app.example.com', 'https://app.example.com/app', 'https://*/x', 'data:text/html,x'])(
  'Heddle does not start with pages from %j',
  (UI_BASE_URL) => {
    expect(() => readConfig({ ...env, UI_BASE_URL })).toThrow(`UI_BASE_URL is "${UI_BASE_URL}", but must be an origin`)
  },
)

it('refuses a short setup token', () => {
  expect(readConfig({ ...env, SETUP_TOKEN: 'x'.repeat(16) })).toMatchObject({ setupToken: 'x'.repeat(16) })
  expect(() => readConfig({ ...env, SETUP_TOKEN: 'short' })).toThrow('SETUP_TOKEN must have at least 16 characters')
  expect(readConfig({ ...env, METRICS_TOKEN: 'x'.repeat(16) })).toMatchObject({ metricsToken: 'x'.repeat(16) })
  expect(() => readConfig({ ...env, METRICS_TOKEN: 'short' })).toThrow('METRICS_TOKEN must have at least 16 characters')
})

it('reads listed runtime variables only', () => {
  const given = { ...env, RUNTIME_VARIABLES: 'REGION, BASE_URL', REGION: 'eu', BASE_URL: 'https://e.x', OTHER: 'x' }
  expect(readConfig(given).runtimeVariables).toEqual({ REGION: 'eu', BASE_URL: 'https://e.x' })
})

it.each(['MASTER_KEY', 'LIBSQL_AUTH_TOKEN', 'NOT_SET', 'ASSETS'])(
  'Heddle does not start with %s as runtime variable',
  (name) => {
    expect(() => readConfig({ ...env, LIBSQL_AUTH_TOKEN: 't', RUNTIME_VARIABLES: name })).toThrow(
      `RUNTIME_VARIABLES lists ${name}`,
    )
  },
)

it.each([
  [{ MAIL_URL: '' }, 'MAIL_URL'],
  [{ APP_URL: '' }, 'APP_URL'],
])('does not start in cloud with %j, because people need emails', (missing, named) => {
  expect(() => readConfig({ ...cloud, ...missing })).toThrow(named)
  expect(readConfig({ ...cloud, PLATFORM_TYPE: 'enterprise', ...missing })).toMatchObject({
    platformType: 'enterprise',
  })
})

it('starts in cloud with the outbox of this machine', () => {
  const OUTBOX = { fetch: async () => new Response() }
  expect(readConfig({ ...cloud, MAIL_URL: '', OUTBOX })).toMatchObject({ platformType: 'cloud' })
})

it('asks for a user name and a password in front of /setup when both are set', () => {
  const given = { ...env, SETUP_USERNAME: 'loom', SETUP_PASSWORD: 'warp-and-weft' }
  expect(readConfig(given)).toMatchObject({ setupLogin: { username: 'loom', password: 'warp-and-weft' } })
  expect(() => readConfig({ ...given, SETUP_PASSWORD: '' })).toThrow('Set both SETUP_USERNAME and SETUP_PASSWORD')
  expect(() => readConfig({ ...given, SETUP_PASSWORD: 'short' })).toThrow('SETUP_PASSWORD must have at least 8')
  expect(() => readConfig({ ...given, RUNTIME_VARIABLES: 'SETUP_PASSWORD' })).toThrow('RUNTIME_VARIABLES lists')
})
