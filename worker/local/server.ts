/** Runs all of Heddle on one machine: the embedded database, and the built worker in workerd. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from 'miniflare'
import type { ScheduledBackups } from '#contract/health/health.ts'
import { RUNS_ASKED } from '#contract/health/signals.ts'
import type { S3Environment } from '../ports/s3/settings.ts'
import { handleAssets, openAssets } from './assets/assets.ts'
import { guardChildProcess } from './child-process-guard.ts'
import { startCronTimer } from './cron-timer.ts'
import { type OpenedDatabase, openDatabase } from './database.ts'
import { findSecrets, type MailEnvironment, type Secrets } from './environment.ts'
import { waitForRuns } from './live-runs.ts'
import { assertKeys } from './master-key.ts'
import type { DatabaseAddress } from './migrate.ts'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, startWithoutFront } from './miniflare.ts'
import { publicNetwork, wholeNetwork } from './network.ts'
import { distFolder } from './paths.ts'
import { watchMachine } from './ports/machine.ts'
import { handleEmails, outboxFolder } from './ports/outbox.ts'
import { setRuntimeFlags } from './runtime/runtime-flags.ts'
import { openStateDir } from './state-dir.ts'
import { readBuildConfig, readModules } from './worker-modules.ts'

const WORKER = 'heddle'
const LOOPBACK = '127.0.0.1'

export interface HeddleOptions {
  dataDir: string
  /** 0 uses a free port. */
  port: number
  /** The libSQL server to use in place of the embedded one. */
  database?: DatabaseAddress | undefined
  /** The bucket of S3 to keep files in, in place of the data folder. */
  bucket?: S3Environment | undefined
  /** The keys of several machines on one libSQL server, in place of those in the data folder. */
  keys?: Partial<Secrets> | undefined
  /** The address to listen on. Defaults to this machine only. */
  host?: string | undefined
  /** The build's folder, with `client` and `heddle` in it. */
  dist?: string | undefined
  platformType?: string | undefined
  allowPrivateHosts?: string | undefined
  publicCallsPerMinute?: string | undefined
  clientAddressHeader?: string | undefined
  anonymousMbPerDay?: string | undefined
  logRequests?: string | undefined
  metricsToken?: string | undefined
  publicHosts?: string | undefined
  dnsUrl?: string | undefined
  uiBaseUrl?: string | undefined
  setupToken?: string | undefined
  setupUsername?: string | undefined
  setupPassword?: string | undefined
  platformAdminEmail?: string | undefined
  /** The address of the pages. Defaults to that of this machine. */
  appUrl?: string | undefined
  mail?: MailEnvironment | undefined
  runtimeVariables?: Record<string, string> | undefined
  /** Tells of backups by schedule, where they are made. */
  readBackups?: (() => ScheduledBackups | undefined) | undefined
  /** Whether the cron fires every minute. Defaults to true. */
  cron?: boolean | undefined
  /** Additions to the worker's environment, which override existing values. */
  bindings?: Record<string, Json> | undefined
}

export interface Heddle {
  url: string
  port: number
  databaseUrl: string
  databaseToken: string | undefined
  /** The number of requests that the database has answered since the start. */
  roundTrips(): number
  /** Transactions of the database that wrote since the start. */
  writes(): number
  /** Bytes of the database's longest answer since the start. */
  longestAnswer(): number
  /** Statements that the database has prepared since the start; it keeps them. */
  prepared(): number
  /** The bucket of files in the data folder. */
  openBucket(): ReturnType<InstanceType<typeof Miniflare>['getR2Bucket']>
  /**
   * Fires the cron once, in addition to its schedule, for the given or the current minute. Rejects when the worker
   * fails.
   */
  scheduled(at?: Date): Promise<void>
  /**
   * Starts nothing by schedule any more, and waits for the runs that it works on. Returns how many are left when
   * the time is up.
   */
  drain(timeoutMs: number, onWait: (runs: number) => void): Promise<number>
  /** Stops all processes. */
  close(): Promise<void>
}

/** Throws when the data folder is in use, when there is no build, or when the port is taken. */
export async function startHeddle(options: HeddleOptions): Promise<Heddle> {
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
  }
  try {
    const database = await openDatabase(options)
    closers.push(database.close)
    const secrets = findSecrets(options)
    if (options.database) await assertKeys(options.database, secrets)
    const stateDir = openStateDir(options.dataDir)
    closers.push(() => rmSync(stateDir, { recursive: true, force: true }))
    closers.push(guardChildProcess(stateDir))
    const watched = watchMachine(options.readBackups)
    closers.push(watched.close)
    setRuntimeFlags()
    const dist = options.dist ?? distFolder()
    const assets = openAssets(dist)
    const machine = { database, secrets, stateDir, dist, assets: handleAssets(assets), state: watched.handle }
    const miniflare = await startWithoutFront(async () => {
      const started = new Miniflare(convertV4MiniflareOptions(workerOptions(options, machine)))
      closers.push(() => started.dispose())
      await Promise.all([started.ready, assets])
      return started
    })
    const url = await miniflare.unsafeGetDirectURL(WORKER)
    const fire = async (cron: string, scheduledTime = new Date()) => {
      const worker = await miniflare.getWorker()
      const { outcome } = await worker.scheduled({ cron, scheduledTime })
      if (outcome !== 'ok') throw new Error(`The cron job ended with "${outcome}"`)
    }
    const scheduled = (at?: Date) => fire('* * * * *', at)
    const countRuns = async () => {
      await fire(RUNS_ASKED)
      return watched.runs()
    }
    const stopCron = options.cron === false ? () => {} : startCronTimer(scheduled)
    closers.push(stopCron)
    const port = Number(url.port)
    return {
      url: `http://${LOOPBACK}:${port}`,
      port,
      databaseUrl: database.url,
      databaseToken: database.authToken,
      roundTrips: database.roundTrips,
      writes: database.writes,
      longestAnswer: database.longestAnswer,
      prepared: database.prepared,
      openBucket: () => miniflare.getR2Bucket('FILES'),
      scheduled,
      async drain(timeoutMs, onWait) {
        watched.noteStop()
        stopCron()
        return waitForRuns(countRuns, { timeoutMs, onWait })
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The worker's environment on this machine (see worker/env.ts). */
export function workerBindings(
  options: Pick<HeddleOptions, 'port' | Setting | 'bucket' | 'mail' | 'runtimeVariables'>,
  { database, secrets }: { database: DatabaseAddress; secrets: Secrets },
) {
  return {
    ...options.runtimeVariables,
    ...secrets,
    LIBSQL_URL: database.url,
    LIBSQL_AUTH_TOKEN: database.authToken ?? '',
    PLATFORM_TYPE: options.platformType ?? '',
    ALLOW_PRIVATE_HOSTS: options.allowPrivateHosts ?? '',
    PUBLIC_CALLS_PER_MINUTE: options.publicCallsPerMinute ?? '',
    CLIENT_ADDRESS_HEADER: options.clientAddressHeader ?? '',
    ANONYMOUS_MB_PER_DAY: options.anonymousMbPerDay ?? '',
    LOG_REQUESTS: options.logRequests ?? '',
    METRICS_TOKEN: options.metricsToken ?? '',
    PUBLIC_HOSTS: options.publicHosts ?? '',
    DNS_URL: options.dnsUrl ?? '',
    UI_BASE_URL: options.uiBaseUrl ?? '',
    SETUP_TOKEN: options.setupToken ?? '',
    SETUP_USERNAME: options.setupUsername ?? '',
    SETUP_PASSWORD: options.setupPassword ?? '',
    PLATFORM_ADMIN_EMAIL: options.platformAdminEmail ?? '',
    APP_URL: options.appUrl ?? options.uiBaseUrl ?? `http://localhost:${options.port}`,
    ...options.bucket,
    ...options.mail,
  }
}

type Setting =
  | 'platformType'
  | 'allowPrivateHosts'
  | 'publicCallsPerMinute'
  | 'clientAddressHeader'
  | 'anonymousMbPerDay'
  | 'logRequests'
  | 'metricsToken'
  | 'publicHosts'
  | 'dnsUrl'
  | 'uiBaseUrl'
  | 'setupToken'
  | 'setupUsername'
  | 'setupPassword'
  | 'platformAdminEmail'
  | 'appUrl'

interface Machine {
  database: OpenedDatabase
  secrets: Secrets
  stateDir: string
  dist: string
  assets: ReturnType<typeof handleAssets>
  state: ReturnType<typeof watchMachine>['handle']
}

function workerOptions(options: HeddleOptions, { stateDir, dist, assets, state, ...opened }: Machine) {
  const folder = join(dist, 'heddle')
  const { compatibility_date: compatibilityDate, compatibility_flags: compatibilityFlags } = readBuildConfig(folder)
  const modules = readModules(folder)
  return {
    name: WORKER,
    // Requests reach the worker directly: Miniflare's front, a worker of its own, would handle each of them before.
    host: LOOPBACK,
    port: 0,
    unsafeDirectSockets: [{ host: options.host ?? LOOPBACK, port: options.port }],
    modulesRoot: folder,
    modules: [modules.entry],
    unsafeUseModuleFallbackService: true,
    unsafeModuleFallbackService: async (request: Pick<Request, 'url'>) => modules.answer(request),
    compatibilityDate,
    compatibilityFlags,
    bindings: { ...workerBindings(options, opened), COMPRESS_RESPONSES: 'true', ...options.bindings },
    ...(!options.bucket?.S3_BUCKET && { r2Buckets: { FILES: 'files' } }),
    workflows: { BACKGROUND_RUNS: { name: 'background-runs', className: 'BackgroundRun' } },
    serviceBindings: {
      NETWORK: wholeNetwork(),
      PUBLIC_NETWORK: publicNetwork(),
      ...(options.mail?.MAIL_URL ? {} : { OUTBOX: { node: handleEmails(outboxFolder(options.dataDir)) } }),
      ASSETS: { node: assets },
      MACHINE: { node: state },
    },
    // The worker keeps nothing in the platform's cache, whose stand-in would be two more workers.
    cache: false,
    // `cf: false` and no telemetry: a start fetches nothing from elsewhere.
    cf: false,
    telemetry: { enabled: false },
    resourcePersistencePath: stateDir,
    log: new Log(LogLevel.ERROR),
    handleStructuredLogs: ({ message }: { message: string }) => console.error(message),
  }
}
