/** Everything that a request handler may use, made once per isolate in `worker/index.ts` from the environment. */
import type { Platform } from '#contract/access/index.ts'
import type { Database } from '#db/client.ts'
import type { Cipher, Clock, Outside } from './ports/types.ts'

export interface Config {
  platformType: Platform
  sessionKey: string
  allowPrivateHosts: string[]
}

export interface Services {
  config: Config
  db: Database
  cipher: Cipher
  clock: Clock
  /** Egress and sandbox of one request: call it once per request. */
  openOutside(): Outside
}
