/** Everything that a request handler may use, made once per isolate in `worker/index.ts` from the environment. */
import type { Platform } from '#contract/access/index.ts'
import type { Database } from '#db/client.ts'
import type { Cipher, Clock, Mail, RequestPorts } from './ports/types.ts'

export interface Config {
  platformType: Platform
  sessionKey: string
  allowPrivateHosts: string[]
  /** Values of runtime variables that the operator gives to all workspaces, by name. */
  runtimeVariables: Readonly<Record<string, string>>
  /** Names that are answered for besides this machine's own; undefined: the platform routes by name. */
  publicHosts: string[] | undefined
  /** The other origin whose pages are ours; undefined: pages come from where the API is. */
  uiOrigin: string | undefined
  /** Who makes the first account must know it; undefined: nobody is asked. */
  setupToken: string | undefined
}

/** What an instance that makes the tries of a delivery is started with. */
export interface DeliveryParams {
  kind: 'delivery'
  deliveryId: string
  triggerId: string
  flowId: string
  workspaceId: string
  /** Tries that the delivery has behind it. */
  attempt: number
  /** The conversation that the run belongs to; null: one of its own. */
  chatId: string | null
  /** ISO; null: at once. */
  notBefore: string | null
}

/** What an instance that takes up a run whose worker is gone is started with. */
export interface OrphanParams {
  kind: 'orphan'
  executionId: string
}

export type BackgroundRunParams = DeliveryParams | OrphanParams

/** The Workflow `BackgroundRun` of `worker/index.ts`; instances whose id exists already are left alone. */
export interface BackgroundRuns {
  /** At most 100. */
  createBatch(instances: { id: string; params: BackgroundRunParams }[]): Promise<unknown>
  /** At most 100. */
  deleteBatch(ids: string[]): Promise<unknown>
}

export interface Services {
  config: Config
  db: Database
  cipher: Cipher
  clock: Clock
  backgroundRuns: BackgroundRuns
  mail: Mail
  /** Egress and sandbox of one request: call it once per request. */
  openOutside(): RequestPorts
}
