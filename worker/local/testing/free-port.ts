import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections, which could take a free one before it is used. */
const PORTS = { from: 20_000, count: 10_000 }

/** A free port of 127.0.0.1, for a program that is to be told its port. */
export async function findFreePort(): Promise<number> {
  const port = PORTS.from + Math.floor(Math.random() * PORTS.count)
  const probe = createServer().listen(port, '127.0.0.1')
  const isFree = await once(probe, 'listening').then(
    () => true,
    () => false,
  )
  await new Promise((closed) => probe.close(closed))
  return isFree ? port : findFreePort()
}
