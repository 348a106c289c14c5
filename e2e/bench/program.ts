/** The product as a person runs it: `npm start` on a fresh data folder, so the database is made and migrated too. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { root } from '#worker/local/paths.ts'
import { findFreePort } from '#worker/local/testing/free-port.ts'
import { timed } from './calls.ts'
import { type Memory, memoryBelow } from './memory.ts'

const isWindows = process.platform === 'win32'

export interface Program {
  url: string
  /** Milliseconds until it said that it is ready. */
  startTime: number
  /** The memory of Node, workerd and the shells around them, without npm. */
  memory(): Memory
  close(): Promise<void>
}

/** @param env more for its environment */
export async function startProgram(env: Record<string, string> = {}): Promise<Program> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-bench-'))
  const port = await findFreePort()
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), ...env },
    shell: isWindows,
    detached: !isWindows,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => String(text).includes('ready') && resolve())
    void ended.then(() => reject(new Error('npm start ended before it was ready')))
  })
  return {
    startTime: await timed(() => ready),
    url: `http://127.0.0.1:${port}`,
    memory: () => memoryBelow(child.pid ?? Number.NaN),
    async close() {
      // As Ctrl+C does: to npm and all that it started. npm itself sometimes stays when its script has ended.
      if (isWindows || !child.pid) child.kill()
      else process.kill(-child.pid, 'SIGINT')
      while (await answers(port)) await setTimeout(50)
      child.kill('SIGKILL')
      await ended
      rmSync(dataDir, { recursive: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

const answers = (port: number) =>
  fetch(`http://127.0.0.1:${port}/api/v1/ping`).then(
    () => true,
    () => false,
  )
