/** How long `npm start` takes where there is a build. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { root } from '#worker/local/paths.ts'
import { timed } from './calls.ts'
import { median, type Row, show } from './table.ts'

const STARTS = 3
const isWindows = process.platform === 'win32'

export async function measureStart(): Promise<Row[]> {
  const times: number[] = []
  for (let count = 0; count < STARTS; count++) times.push(await startOnce())
  return [{ measure: 'npm start: time to ready, with a build', value: `${show(median(times))} ms`, against: '' }]
}

/** On a fresh data folder, so the database is made and migrated too. */
async function startOnce(): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-bench-'))
  const port = await freePort()
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port) }
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
  const child = spawn('npm', ['start', '--silent'], { cwd: root, env, shell: isWindows, detached: !isWindows, stdio })
  const ended = once(child, 'exit')
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => String(text).includes('ready') && resolve())
    void ended.then(() => reject(new Error('npm start ended before it was ready')))
  })
  const milliseconds = await timed(() => ready)
  // As Ctrl+C does: to npm and all that it started. npm itself sometimes stays when its script has ended.
  if (isWindows || !child.pid) child.kill()
  else process.kill(-child.pid, 'SIGINT')
  while (await answers(port)) await setTimeout(50)
  child.kill('SIGKILL')
  await ended
  rmSync(dataDir, { recursive: true, maxRetries: 20, retryDelay: 100 })
  return milliseconds
}

const answers = (port: number) =>
  fetch(`http://127.0.0.1:${port}/api/v1/ping`).then(
    () => true,
    () => false,
  )

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}
