/** Checks that the configured port is free. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const PORT_WAIT_MS = 3_000

/**
 * Throws an error that says what to do when another program uses `port`. Waits briefly first: a Heddle that was just
 * stopped or killed frees its port a moment later.
 */
export async function assertPortIsFree(port: number, host = '127.0.0.1'): Promise<void> {
  for (const deadline = Date.now() + PORT_WAIT_MS; !(await isFree(port, host)); await wait(100)) {
    if (Date.now() > deadline) {
      throw new Error(`Port ${port} is taken by another program. Stop it, or set PORT to another number.`)
    }
  }
}

async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'EADDRINUSE') return false
    throw error
  } finally {
    server.close()
  }
}
