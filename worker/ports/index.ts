/** Creates the ports, once per isolate. */
import { createCipher } from './cipher.ts'
import { systemClock } from './clock.ts'
import { createEgress } from './egress.ts'
import { createMail, type MailConfig } from './mail.ts'
import { type CountCpu, createSandboxes, DEFAULT_LIMITS } from './sandbox/index.ts'
import type { Cipher, Clock, Mail, RequestPorts } from './types.ts'

export interface Network {
  fetch: typeof fetch
}

const platformNetwork: Network = { fetch: (input, init) => fetch(input, init) }

interface PortsConfig {
  /** Private hosts that can be reached, as `host` or `host:port`. */
  allowPrivateHosts: string[]
  /** 32 random bytes, base64url. */
  masterKey: string
  /** Still opens what it encrypted. */
  previousMasterKey?: string | undefined
  /** Connects to every address. By default, the platform's `fetch`. */
  network?: Network | undefined
  /** Connects to public addresses only. Absent where the platform ensures that. */
  publicNetwork?: Network | undefined
  mail: MailConfig
  /** Counts what functions compute in all isolates. Absent: each isolate counts for itself. */
  countCpu?: CountCpu
}

interface Ports {
  cipher: Cipher
  clock: Clock
  mail: Mail
  /** @param workspaceId whose functions the sandbox runs */
  openOutside(workspaceId?: string): RequestPorts
}

/** @throws Error when the master key is invalid */
export function createPorts({
  allowPrivateHosts,
  masterKey,
  previousMasterKey,
  network = platformNetwork,
  publicNetwork,
  mail,
  countCpu,
}: PortsConfig): Ports {
  const sandboxes = createSandboxes(
    async () => (await import('./sandbox/quickjs.wasm')).default,
    DEFAULT_LIMITS,
    countCpu,
  )
  const hosts = allowPrivateHosts.map((host) => host.trim().toLowerCase()).filter(Boolean)

  return {
    cipher: createCipher(masterKey, previousMasterKey),
    clock: systemClock,
    mail: createMail(mail),
    openOutside(workspaceId) {
      const egress = createEgress({
        allowPrivateHosts: hosts,
        network: (request) => network.fetch(request),
        publicNetwork: publicNetwork && ((request) => publicNetwork.fetch(request)),
      })
      return { egress, sandbox: sandboxes.open(egress, workspaceId) }
    },
  }
}
