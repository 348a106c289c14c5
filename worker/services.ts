/** Everything that a request handler may use, made once per isolate in `worker/index.ts` from the environment. */
import type { Database } from '#db/client.ts'
import type { Cipher, Clock, Egress, Sandbox } from './ports/types.ts'

export type PlatformType = 'open source' | 'cloud' | 'enterprise'

export interface Config {
  platformType: PlatformType
  sessionKey: string
  allowPrivateHosts: string[]
}

export interface Services {
  config: Config
  db: Database
  cipher: Cipher
  clock: Clock
  egress: Egress
  sandbox: Sandbox
}
