/** Whether the port that people will open is ours to take. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const PATIENCE_MS = 3_000

/**
 * Throws an error that says what to do when another program listens on `port`. Waits a moment first: a Heddle that was
 * just stopped or killed frees its port a little after it is gone.
 */
export async function assertPortIsFree(port: number): Promise<void> {
  for (const failRun = Date.now() + PATIENCE_MS; !(await isFree(port)); await wait(100)) {
    if (Date.now() > failRun) {
      throw new Error(`Port ${port} is taken by another program. Stop it, or set PORT to another number.`)
    }
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
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
