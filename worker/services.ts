/** Everything that a request handler may use, made once per isolate in `worker/index.ts` from the environment. */
import type { Platform } from '#contract/access/index.ts'
import type { Database } from '#db/client.ts'
import type { Traffic } from '#db/traffic.ts'
import type { Cipher, Clock, FileStorage, Machine, Mail, RequestPorts } from './ports/types.ts'

export interface Config {
  platformType: Platform
  sessionKey: string
  allowPrivateHosts: string[]
  /** Values of runtime variables that the operator gives to all workspaces, by name. */
  runtimeVariables: Readonly<Record<string, string>>
  /** To a public route without a limit of its own, from one address and without a key. */
  publicCallsPerMinute: number
  /** In lower case: what is in front sets it to the caller's address; undefined: callers connect themselves. */
  clientAddressHeader: string | undefined
  /** Bytes that calls without a key may leave in the database, by workspace; undefined: no limit. */
  anonymousBytesPerDay: number | undefined
  /** Each call of the API is a line of JSON in the log. */
  logsRequests: boolean
  /** Opens the metrics; undefined: there are none. */
  metricsToken: string | undefined
  /** Names that are answered for besides this machine's own; undefined: the platform routes by name. */
  publicHosts: string[] | undefined
  /** The other origin whose pages are ours; undefined: pages come from where the API is. */
  uiOrigin: string | undefined
  /** Who makes the first account must know it; undefined: nobody is asked. */
  setupToken: string | undefined
  /** What whoever opens /setup must know besides; undefined: nothing. */
  setupLogin: { username: string; password: string } | undefined
  /** Whose account administers the platform; undefined: the first account's, in cloud nobody's. */
  platformAdminEmail: string | undefined
  /** The address of the pages, for links in emails; undefined: emails cannot be sent. */
  appUrl: string | undefined
  /** Whether no edge in front of the worker compresses what it answers. */
  compressesResponses: boolean
  /** DNS over HTTPS, in its JSON form. */
  dnsUrl: string
}

/** The parameters of a background job's instance; `kind` names the job. */
export interface JobParams {
  kind: string
  workspaceId: string
}

/** The Workflow `BackgroundRun` of `worker/index.ts`. Instances whose id exists are left alone. */
export interface BackgroundRuns {
  /** At most 100. */
  createBatch(instances: { id: string; params: JobParams }[]): Promise<unknown>
  /** At most 100. */
  deleteBatch(ids: string[]): Promise<unknown>
}

/** The rate limit `ADDRESS_LIMIT` of wrangler.toml, which the platform counts. */
export interface AddressLimit {
  limit(use: { key: string }): Promise<{ success: boolean }>
}

export interface Services {
  config: Config
  db: Database
  databaseTraffic: Traffic
  cipher: Cipher
  clock: Clock
  fileStorage: FileStorage
  addressLimit: AddressLimit | undefined
  backgroundRuns: BackgroundRuns
  mail: Mail
  machine: Machine
  /** Egress and sandbox of one request: call it once per request. The sandbox keeps interpreters for this workspace. */
  openOutside(workspaceId?: string): RequestPorts
}
