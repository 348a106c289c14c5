/** Settings of a start on one machine, and its generated secrets. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parsePlatform } from '#contract/access/index.ts'
import { parseS3Settings, S3_NAMES, type S3Environment } from '../ports/s3/settings.ts'
import { type BackupSettings, parseBackupSettings } from './backup/settings.ts'
import type { DatabaseAddress } from './migrate.ts'
import { root } from './paths.ts'

export interface LocalEnvironment {
  port: number
  /** `127.0.0.1` for this machine only, `0.0.0.0` for every network, as a container needs it. */
  host: string
  /** The folder with all data of an installation. */
  dataDir: string
  /** The libSQL server at LIBSQL_URL, if the data folder has no database of its own. */
  database: DatabaseAddress | undefined
  /** The bucket of S3, if the data folder does not keep the files. */
  bucket: S3Environment
  /** The keys of several machines on one libSQL server. Without them the data folder has its own. */
  keys: Partial<Secrets>
  /** See `Env` in worker/env.ts. */
  platformType: string | undefined
  allowPrivateHosts: string | undefined
  publicCallsPerMinute: string | undefined
  clientAddressHeader: string | undefined
  anonymousMbPerDay: string | undefined
  logRequests: string | undefined
  metricsToken: string | undefined
  publicHosts: string | undefined
  dnsUrl: string | undefined
  uiBaseUrl: string | undefined
  setupToken: string | undefined
  setupUsername: string | undefined
  setupPassword: string | undefined
  platformAdminEmail: string | undefined
  appUrl: string | undefined
  mail: MailEnvironment
  /** The bucket of backups, if there is one. */
  backups: BackupSettings | undefined
  /** `RUNTIME_VARIABLES`, and the values that it lists. */
  runtimeVariables: Record<string, string>
}

/** The places and the keys of everything that an installation has. */
export type Installation = Pick<LocalEnvironment, 'dataDir' | 'database' | 'bucket' | 'keys'>

const HOSTS = ['127.0.0.1', '0.0.0.0']

/** Throws an error that names the invalid variable and its valid values. */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): LocalEnvironment {
  const port = Number(env.PORT || 8788)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`PORT is "${env.PORT}", but must be a number from 1 to 65535`)
  }
  const host = env.LISTEN_HOST || '127.0.0.1'
  if (!HOSTS.includes(host)) throw new Error(`LISTEN_HOST is "${host}", but must be ${HOSTS.join(' or ')}`)
  parsePlatform(env.PLATFORM_TYPE)
  const bucket = pick(env, S3_NAMES)
  parseS3Settings(bucket)
  return {
    port,
    host,
    dataDir: resolve(root, env.DATA_DIR || '.data'),
    database: databaseAddress(env),
    bucket,
    keys: env.LIBSQL_URL ? pick(env, [...NAMES, 'MASTER_KEY_PREVIOUS', 'SESSION_KEY_PREVIOUS']) : {},
    platformType: env.PLATFORM_TYPE || undefined,
    allowPrivateHosts: env.ALLOW_PRIVATE_HOSTS || undefined,
    publicCallsPerMinute: env.PUBLIC_CALLS_PER_MINUTE || undefined,
    clientAddressHeader: env.CLIENT_ADDRESS_HEADER || undefined,
    anonymousMbPerDay: env.ANONYMOUS_MB_PER_DAY || undefined,
    logRequests: env.LOG_REQUESTS || undefined,
    metricsToken: env.METRICS_TOKEN || undefined,
    publicHosts: env.PUBLIC_HOSTS || undefined,
    dnsUrl: env.DNS_URL || undefined,
    uiBaseUrl: env.UI_BASE_URL || undefined,
    setupToken: env.SETUP_TOKEN || undefined,
    setupUsername: env.SETUP_USERNAME || undefined,
    setupPassword: env.SETUP_PASSWORD || undefined,
    platformAdminEmail: env.PLATFORM_ADMIN_EMAIL || undefined,
    appUrl: env.APP_URL || undefined,
    mail: pick(env, MAIL),
    backups: parseBackupSettings(env),
    runtimeVariables: runtimeVariables(env),
  }
}

function databaseAddress({
  LIBSQL_URL: url,
  LIBSQL_AUTH_TOKEN: authToken,
}: NodeJS.ProcessEnv): DatabaseAddress | undefined {
  if (!url) return undefined
  if (!URL.canParse(url) || !/^(https?|libsql):/.test(url)) {
    throw new Error('LIBSQL_URL must be the address of a libSQL server, such as https://db.example.com or libsql://...')
  }
  return { url, ...(authToken && { authToken }) }
}

function runtimeVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  if (!env.RUNTIME_VARIABLES) return {}
  const names = env.RUNTIME_VARIABLES.split(',').map((name) => name.trim())
  const listed = ['RUNTIME_VARIABLES', ...names].map((name): [string, string] => [name, env[name] ?? ''])
  return Object.fromEntries(listed.filter(([, value]) => value !== ''))
}

const MAIL = ['MAIL_URL', 'MAIL_KEY', 'MAIL_FROM'] as const

/** See `Env` in worker/env.ts. */
export type MailEnvironment = Partial<Record<(typeof MAIL)[number], string>>

function pick<Name extends string>(env: NodeJS.ProcessEnv, names: readonly Name[]): Partial<Record<Name, string>> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : []))) as Partial<
    Record<Name, string>
  >
}

const NAMES = ['MASTER_KEY', 'SESSION_KEY'] as const

export type Secrets = Record<(typeof NAMES)[number], string> & {
  /** The master key before, until everything is renewed. */
  MASTER_KEY_PREVIOUS?: string
  /** The key of sessions before, until every machine has the new one. */
  SESSION_KEY_PREVIOUS?: string
}

/**
 * Returns 32 random bytes each, base64url, generated on the first start and readable only by the owner. Adds missing
 * ones to the file. Losing MASTER_KEY makes the stored credentials unreadable, so keep it with backups.
 */
function loadSecrets(dataDir: string): Secrets {
  const kept = readSecrets(dataDir)
  const missing = NAMES.filter((name) => !kept[name])
  const secrets = { ...kept, ...Object.fromEntries(missing.map((name) => [name, newKey()])) } as Secrets
  if (missing.length > 0) writeSecrets(dataDir, secrets)
  return secrets
}

/**
 * Returns the keys in the settings, or those of the data folder. Throws a sentence for people when other machines may work on the
 * same data, whose keys must be the same.
 */
export function findSecrets({ dataDir, database, bucket = {}, keys = {} }: SecretsOptions): Secrets {
  const missing = NAMES.find((name) => !keys[name])
  if (!missing) return keys as Secrets
  if (!hasKeysInSettings({ database, bucket, keys })) return loadSecrets(dataDir)
  throw new Error(
    `${missing} is not set. With LIBSQL_URL and S3_BUCKET several machines may share their data, so set MASTER_KEY and SESSION_KEY to the same two on each: 32 random bytes each, in base64url.`,
  )
}

type SecretsOptions = Pick<Installation, 'dataDir'> & Partial<Installation>

/** Returns the secrets of a data folder that has been started. Throws a sentence for people when they are not there. */
export function readSecretsFile(dataDir: string): Secrets {
  const { MASTER_KEY, SESSION_KEY, MASTER_KEY_PREVIOUS } = readSecrets(dataDir)
  if (!MASTER_KEY || !SESSION_KEY)
    throw new Error(
      `${secretsFile(dataDir)} is missing or lacks a key. Put it back: without it nobody can read the stored credentials.`,
    )
  return { MASTER_KEY, SESSION_KEY, ...(MASTER_KEY_PREVIOUS && { MASTER_KEY_PREVIOUS }) }
}

/** Returns the keys of an installation that has been started, from the settings or the folder. Makes none. */
export const readKeys = (installation: Installation): Secrets =>
  hasKeysInSettings(installation) ? findSecrets(installation) : readSecretsFile(installation.dataDir)

/** Tells whether the keys are, or must be, in the settings. */
export const hasKeysInSettings = ({ database, bucket, keys }: Omit<Installation, 'dataDir'>): boolean =>
  Boolean(keys.MASTER_KEY || keys.SESSION_KEY || (database && bucket.S3_BUCKET))

/** Gives a folder the keys of an installation. Throws a sentence for people when the folder has another master key. */
export function saveSecrets(dataDir: string, secrets: Secrets): void {
  const { MASTER_KEY } = readSecrets(dataDir)
  if (MASTER_KEY && MASTER_KEY !== secrets.MASTER_KEY)
    throw new Error(
      `${secretsFile(dataDir)} has another MASTER_KEY. Keep that file elsewhere, or name an empty folder.`,
    )
  writeSecrets(dataDir, secrets)
}

/** Makes a new master key and keeps the previous one beside it. Goes on with a rotation that has begun. */
export function beginKeyRotation(dataDir: string): Secrets & { MASTER_KEY_PREVIOUS: string } {
  const { MASTER_KEY_PREVIOUS, ...secrets } = loadSecrets(dataDir)
  if (MASTER_KEY_PREVIOUS) return { ...secrets, MASTER_KEY_PREVIOUS }
  const rotated = { ...secrets, MASTER_KEY: newKey(), MASTER_KEY_PREVIOUS: secrets.MASTER_KEY }
  writeSecrets(dataDir, rotated)
  return rotated
}

/** Forgets the previous master key. */
export function endKeyRotation(dataDir: string): void {
  const { MASTER_KEY_PREVIOUS: _, ...secrets } = loadSecrets(dataDir)
  writeSecrets(dataDir, secrets)
}

const newKey = () => randomBytes(32).toString('base64url')

const secretsFile = (dataDir: string) => join(dataDir, 'secrets.json')

function readSecrets(dataDir: string): Partial<Secrets> {
  const file = secretsFile(dataDir)
  if (!existsSync(file)) return {}
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${file} is damaged. Put back a copy of it, as each backup has one.`)
  }
}

/** Writes and renames, so that a crash never leaves half a file. */
function writeSecrets(dataDir: string, secrets: Secrets): void {
  const file = secretsFile(dataDir)
  writeFileSync(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}
