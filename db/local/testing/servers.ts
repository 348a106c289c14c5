/** The servers that the protocol's tests run against: the embedded one and, where SQLD_BIN names it, a real sqld. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { startLibsqlServer } from '../server.ts'

interface TestServer {
  url: string
  authToken?: string
  close(): Promise<void>
}

type Start = (folder: string) => Promise<TestServer>

/** The program of a real sqld, where there is one. */
export const sqld = process.env.SQLD_BIN

export const servers: [string, Start][] = [
  ['the embedded server', (folder) => startLibsqlServer({ file: join(folder, 'test.db') })],
  ...(sqld ? [['sqld', (folder) => startSqld(sqld, folder)] as [string, Start]] : []),
]

export async function startSqld(program: string, folder: string): Promise<TestServer> {
  const url = `http://127.0.0.1:${await freePort()}`
  const args = ['--db-path', join(folder, 'sqld'), '--http-listen-addr', new URL(url).host]
  const child = spawn(program, args, { stdio: 'ignore' })
  const ended = once(child, 'exit')
  while (!(await isUp(url))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with code ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url,
    async close() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const isUp = (url: string) =>
  globalThis.fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  )

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
