// @defends caller-names-address
/** Runs the samples of reverse proxies in front of Heddle, each where its program is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chain, llm, start as startNode } from '../../../e2e/support/flows.ts'
import { gate, type ModelServer, startModelServer } from '../../../e2e/support/model-server.ts'
import { root } from '../paths.ts'
import { call } from '../testing/client.ts'
import { findFreePort } from '../testing/free-port.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '../testing/heddle.ts'

const NAME = 'heddle.example.com'
const CALLS_PER_MINUTE = 40

interface Proxy {
  program: string
  sample: string
  /** What `CLIENT_ADDRESS_HEADER` is set to. */
  addressHeader: string
  /** Returns the sample as a whole configuration without TLS, for ports of this test. */
  configure(sample: string, ports: { own: number; heddle: number; folder: string }): string
  args(file: string, folder: string): string[]
}

const caddy: Proxy = {
  program: process.env.CADDY_BIN ?? 'caddy',
  sample: 'Caddyfile',
  addressHeader: 'X-Forwarded-For',
  configure: (sample, { own, heddle, folder }) =>
    [
      `{\n\tadmin off\n\tauto_https off\n\tstorage file_system ${folder}\n}`,
      sample
        .replace(`\n${NAME} {`, `\nhttp://${NAME}:${own} {\n\tbind 127.0.0.1`)
        .replace('127.0.0.1:8788', `127.0.0.1:${heddle}`),
    ].join('\n'),
  args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
}

const nginx: Proxy = {
  program: process.env.NGINX_BIN ?? 'nginx',
  sample: 'nginx.conf',
  addressHeader: 'X-Real-IP',
  configure(sample, { own, heddle, folder }) {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${join(folder, kind)};`,
    )
    const withoutTls = sample
      .replace(/server \{\n\s+listen 80;[\s\S]*?\n\}\n/, '')
      .replace('listen 443 ssl http2;', `listen 127.0.0.1:${own};`)
      .replaceAll(/^\s*ssl_.*\n/gm, '')
      .replace('127.0.0.1:8788', `127.0.0.1:${heddle}`)
    const files = [`pid ${join(folder, 'pid')};`, 'daemon off;', 'error_log stderr;', 'events {}']
    return [...files, 'http {', 'access_log off;', ...temporary, withoutTls, '}', ''].join('\n')
  },
  args: (file, folder) => ['-p', folder, '-c', file],
}

const isInstalled = ({ program }: Proxy) => spawnSync(program, ['-v']).error === undefined

describe.each([caddy, nginx])('the sample $sample', (proxy) => {
  describe.skipIf(!isInstalled(proxy))('in front of Heddle', () => {
    let folder: string
    let model: ModelServer
    let heddle: TestHeddle
    let ann: TestClient
    let key: string
    let process: ChildProcess
    let port: number

    /** Calls through the proxy by the name that it serves. */
    async function send(path: string, { from = '127.0.0.1', body, ...init }: Sent = {}): Promise<IncomingMessage> {
      const headers = { host: NAME, ...(body && { 'content-length': body.length }), ...init.headers }
      const sent = request({ host: '127.0.0.1', port, path, localAddress: from, agent: false, ...init, headers })
      sent.end(body)
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      return answer
    }

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'heddle-proxy-'))
      model = await startModelServer()
      heddle = await startTestHeddle({
        publicHosts: NAME,
        clientAddressHeader: proxy.addressHeader,
        allowPrivateHosts: model.host,
        publicCallsPerMinute: String(CALLS_PER_MINUTE),
      })
      ann = await heddle.signUp()
      const permissions = ['documentStores:update']
      key = (await call(ann, 'POST', '/apikey', { keyName: 'k', permissions })).body.apiKey
      port = await findFreePort()
      const file = join(folder, proxy.sample)
      mkdirSync(join(folder, 'logs'))
      const sample = readFileSync(join(root, 'deploy', proxy.sample), 'utf8')
      const ports = { own: port, heddle: Number(new URL(heddle.url).port), folder }
      writeFileSync(file, proxy.configure(sample, ports))
      process = spawn(proxy.program, proxy.args(file, folder), { stdio: ['ignore', 'ignore', 'inherit'] })
      await vi.waitFor(async () => expect((await send('/api/v1/ready')).statusCode).toBe(200), { timeout: 20_000 })
    }, 60_000)
    afterAll(async () => {
      process.kill('SIGTERM')
      await once(process, 'exit')
      await heddle.close()
      await model.close()
      rmSync(folder, { recursive: true, force: true })
    })

    it('passes on tokens before the answer is complete', async () => {
      const flowData = JSON.stringify(chain(startNode(), llm(model.baseUrl)))
      const flow = { name: 'f', type: 'AGENTFLOW', callers: 'everyone', flowData }
      const { id } = (await call(ann, 'POST', '/chatflows', flow)).body
      const rest = gate()
      model.reply({ text: ['Early ', 'late'], afterFirst: rest.opened })
      const body = Buffer.from(JSON.stringify({ question: 'q', streaming: true }))
      const headers = { 'content-type': 'application/json' }
      const answer = await send(`/api/v1/prediction/${id}`, { method: 'POST', headers, body })
      expect(answer.statusCode).toBe(200)
      let heard = ''
      for await (const part of answer) {
        heard += part
        if (heard.includes('Early') && !heard.includes('late')) rest.open()
      }
      expect(heard).toContain('late')
    })

    it('tells the address that connects, whatever the client claims', async () => {
      const claims = (turn: number) => {
        const address = `203.0.113.${turn}`
        const forwarded = `for=${address}`
        return { 'x-real-ip': address, 'x-forwarded-for': address, forwarded }
      }
      const statuses: (number | undefined)[] = []
      for (let turn = 0; turn <= CALLS_PER_MINUTE; turn++) {
        const answer = await send('/api/v1/ping', { headers: claims(turn), from: '127.0.0.2' })
        answer.resume()
        statuses.push(answer.statusCode)
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(CALLS_PER_MINUTE)
      expect(statuses.at(-1)).toBe(429)
      expect((await send('/api/v1/ping', { from: '127.0.0.3' })).statusCode).toBe(200)
    })

    it('takes a file of 50 MiB', async () => {
      const made = await call(ann, 'POST', '/document-store/store', { name: 's' })
      const path = `/api/v1/document-store/store/${made.body.id}/files?name=a.txt`
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' }
      const answer = await send(path, { method: 'POST', headers, body: Buffer.alloc(50 * 1024 * 1024, 'a') })
      expect({ status: answer.statusCode, body: JSON.parse(await text(answer)) }).toMatchObject({ status: 200 })
    }, 60_000)
  })
})

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: Buffer
  /** The address of this machine that connects. */
  from?: string
}
