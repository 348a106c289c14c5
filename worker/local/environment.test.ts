// @defends misspelled-setting-switches
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findSecrets, readEnvironment } from './environment.ts'
import { root } from './paths.ts'
import { readSettingNames } from './testing/setting-names.ts'

it('the environment has a default for every setting', () => {
  expect(readEnvironment({})).toEqual({
    port: 8788,
    host: '127.0.0.1',
    dataDir: join(root, '.data'),
    database: undefined,
    bucket: {},
    keys: {},
    platformType: undefined,
    allowPrivateHosts: undefined,
    publicCallsPerMinute: undefined,
    clientAddressHeader: undefined,
    anonymousMbPerDay: undefined,
    logRequests: undefined,
    metricsToken: undefined,
    publicHosts: undefined,
    dnsUrl: undefined,
    uiBaseUrl: undefined,
    setupToken: undefined,
    setupUsername: undefined,
    setupPassword: undefined,
    platformAdminEmail: undefined,
    appUrl: undefined,
    mail: {},
    backups: undefined,
    runtimeVariables: {},
  })
})

it('reads every setting that the README names', () => {
  const asked = new Set<string>()
  const given = new Proxy<NodeJS.ProcessEnv>(
    { LIBSQL_URL: 'http://db', ...BACKUPS },
    {
      get(env, name: string) {
        asked.add(name)
        return env[name]
      },
    },
  )
  readEnvironment(given)
  expect(readSettingNames().filter((name) => !asked.has(name))).toEqual([])
})

const KEYS = { MASTER_KEY: 'M'.repeat(43), SESSION_KEY: 'S'.repeat(43) }
const S3 = {
  S3_ENDPOINT: 'https://minio.example.com',
  S3_BUCKET: 'heddle',
  S3_REGION: 'eu-west-1',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
}

const BACKUPS = {
  BACKUP_S3_ENDPOINT: 'https://s3.example.com',
  BACKUP_S3_BUCKET: 'backups',
  BACKUP_S3_ACCESS_KEY_ID: 'key-of-backups',
  BACKUP_S3_SECRET_ACCESS_KEY: 'secret-of-backups',
}

it('reads the settings and resolves a relative folder from the repository', () => {
  const given = {
    PORT: '9000',
    LISTEN_HOST: '0.0.0.0',
    DATA_DIR: 'data/mine',
    LIBSQL_URL: 'https://db.example.com',
    LIBSQL_AUTH_TOKEN: 'token',
    ...S3,
    ...KEYS,
    PLATFORM_TYPE: 'cloud',
    ALLOW_PRIVATE_HOSTS: 'localhost:11434',
    PUBLIC_CALLS_PER_MINUTE: '600',
    CLIENT_ADDRESS_HEADER: 'X-Forwarded-For',
    ANONYMOUS_MB_PER_DAY: '20',
    LOG_REQUESTS: 'true',
    METRICS_TOKEN: 'a-token-of-mine-10',
    PUBLIC_HOSTS: 'heddle.example',
    DNS_URL: 'https://dns.example/dns-query',
    UI_BASE_URL: 'https://app.heddle.example',
    SETUP_TOKEN: 'a-token-of-mine-9',
    SETUP_USERNAME: 'loom',
    SETUP_PASSWORD: 'warp-and-weft',
    PLATFORM_ADMIN_EMAIL: 'ada@example.com',
    APP_URL: 'https://heddle.example',
    MAIL_KEY: 'k',
    ...BACKUPS,
    ...{ BACKUP_SCHEDULE: '30 3 * * *', BACKUP_KEEP: '3', BACKUP_WITHOUT_SECRETS: 'true' },
    RUNTIME_VARIABLES: 'REGION, NOT_SET',
    REGION: 'eu',
  }
  expect(readEnvironment(given)).toEqual({
    port: 9000,
    host: '0.0.0.0',
    dataDir: join(root, 'data/mine'),
    database: { url: 'https://db.example.com', authToken: 'token' },
    bucket: S3,
    keys: KEYS,
    platformType: 'cloud',
    allowPrivateHosts: 'localhost:11434',
    publicCallsPerMinute: '600',
    clientAddressHeader: 'X-Forwarded-For',
    anonymousMbPerDay: '20',
    logRequests: 'true',
    metricsToken: 'a-token-of-mine-10',
    publicHosts: 'heddle.example',
    dnsUrl: 'https://dns.example/dns-query',
    uiBaseUrl: 'https://app.heddle.example',
    setupToken: 'a-token-of-mine-9',
    setupUsername: 'loom',
    setupPassword: 'warp-and-weft',
    platformAdminEmail: 'ada@example.com',
    appUrl: 'https://heddle.example',
    mail: { MAIL_KEY: 'k' },
    backups: {
      s3: {
        ...{ endpoint: 'https://s3.example.com', bucket: 'backups', region: 'us-east-1' },
        ...{ accessKeyId: 'key-of-backups', secretAccessKey: 'secret-of-backups' },
      },
      ...{ schedule: '30 3 * * *', keep: 3, withSecrets: false },
    },
    runtimeVariables: { RUNTIME_VARIABLES: 'REGION, NOT_SET', REGION: 'eu' },
  })
})

it.each(['x', '-1', '65536', '1.5', ' '])('rejects the port %j', (PORT) => {
  expect(() => readEnvironment({ PORT })).toThrow(/^PORT is /)
})

it('rejects an address to listen on that is neither this machine nor every network', () => {
  expect(() => readEnvironment({ LISTEN_HOST: 'heddle.example' })).toThrow(
    /^LISTEN_HOST is "heddle.example", but must be/,
  )
})

it.each(['db.example.com', 'file:heddle.db', 'https://'])('rejects the address of a database %j', (LIBSQL_URL) => {
  expect(() => readEnvironment({ LIBSQL_URL })).toThrow(/^LIBSQL_URL must be the address of a libSQL server/)
})

it('rejects a bucket without its key', () => {
  expect(() => readEnvironment({ S3_BUCKET: 'heddle' })).toThrow(/^S3_ACCESS_KEY_ID is not set/)
})

it.each([
  [{ BACKUP_SCHEDULE: '0 3 * * *' }, /^BACKUP_SCHEDULE is set, but BACKUP_S3_BUCKET is not/],
  [{ BACKUP_S3_BUCKET: 'backups' }, /^BACKUP_S3_ACCESS_KEY_ID is not set/],
  [{ ...BACKUPS, BACKUP_KEEP: '0' }, /^BACKUP_KEEP is "0", but must be a number from 1/],
  [{ ...BACKUPS, BACKUP_WITHOUT_SECRETS: 'yes' }, /^BACKUP_WITHOUT_SECRETS is "yes", but must be/],
  [
    { ...S3, ...BACKUPS, BACKUP_S3_ENDPOINT: S3.S3_ENDPOINT, BACKUP_S3_BUCKET: 'heddle' },
    /^BACKUP_S3_BUCKET is the bucket in/,
  ],
])('names the setting of backups that is wrong in %j', (env, message) => {
  expect(() => readEnvironment(env)).toThrow(message)
})

it('takes the keys from the settings where several machines share their data, and nowhere else', () => {
  const shared = { DATA_DIR: '/nowhere', LIBSQL_URL: 'https://db.example.com', ...S3 }
  expect(findSecrets(readEnvironment({ ...shared, ...KEYS }))).toEqual(KEYS)
  expect(() => findSecrets(readEnvironment(shared))).toThrow(/^MASTER_KEY is not set. With LIBSQL_URL and S3_BUCKET/)
  const half = readEnvironment({ ...shared, MASTER_KEY: KEYS.MASTER_KEY })
  expect(() => findSecrets(half)).toThrow(/^SESSION_KEY is not set/)
  expect(readEnvironment(KEYS).keys).toEqual({})
})

it('rejects an unknown platform', () => {
  expect(() => readEnvironment({ PLATFORM_TYPE: 'Enterprise' })).toThrow(/^PLATFORM_TYPE is "Enterprise", but must be/)
})

it('generates a missing secret and keeps the others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-secrets-'))
  writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ MASTER_KEY: 'kept' }))
  const secrets = findSecrets({ dataDir: folder })
  expect(secrets).toMatchObject({ MASTER_KEY: 'kept', SESSION_KEY: expect.stringMatching(/^[\w-]{43}$/) })
  expect(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))).toEqual(secrets)
  rmSync(folder, { recursive: true })
})

it('names the file of the secrets when it is damaged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-secrets-'))
  writeFileSync(join(folder, 'secrets.json'), '{"MASTER_KEY": "k')
  expect(() => findSecrets({ dataDir: folder })).toThrow(`${folder}/secrets.json is damaged. Put back a copy of it`)
  rmSync(folder, { recursive: true })
})
