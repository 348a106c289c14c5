// @defends calls-private-network
/** Tests the sandbox and egress in the built worker, in workerd. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, code, get, start } from '../../e2e/support/flows.ts'

let inside: Server
let allowed: string
let heddle: TestHeddle
let ann: TestClient
const asked: string[] = []
/** Open requests to `/held`; undefined: they are answered at once. */
let held: ServerResponse[] | undefined = []

beforeAll(async () => {
  inside = createServer((request, response) => {
    if (request.url === '/held') return held ? void held.push(response) : response.end('{}')
    asked.push(request.url ?? '')
    if (request.url === '/away') response.writeHead(302, { location: heddle.url })
    response.end(JSON.stringify({ method: request.method, secret: 'inside' }))
  })
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  allowed = `127.0.0.1:${(inside.address() as AddressInfo).port}`
  heddle = await startTestHeddle({ platformType: 'cloud', allowPrivateHosts: allowed })
  ann = await heddle.signUp()
})
afterAll(async () => {
  await heddle.close()
  await new Promise((resolve) => inside.close(resolve))
})

/** Returns the answer of a flow with this node after the start: its text or the error. */
async function askFlow(node: ReturnType<typeof code>): Promise<string> {
  const flow = { name: 'Test', type: 'AGENTFLOW', flowData: JSON.stringify(chain(start(), node)) }
  const { id } = await (await ann.fetch('/api/v1/chatflows', { method: 'POST', json: flow })).json()
  const response = await ann.fetch(`/api/v1/prediction/${id}`, { method: 'POST', json: { question: 'Hello' } })
  const body = await response.json()
  return response.ok ? body.text : body.message
}
const run = (javascript: string) => askFlow(code(javascript))

describe('custom functions', () => {
  it('take turns in one isolate when many requests arrive', async () => {
    const runs = Array.from({ length: 12 }, () => run(`return (await fetch("http://${allowed}/held")).status`))
    await expect.poll(() => held?.length, { timeout: 10_000 }).toBe(4)
    const first = held ?? []
    held = undefined
    for (const response of first) response.end('{}')
    expect(await Promise.all(runs)).toEqual(Array(12).fill('200'))
  })

  it('run, await and log', async () => {
    expect(await run('console.log("x"); return (await Promise.all([$input, 1])).join(" ")')).toBe('Hello 1')
  })

  it.each([
    ['an endless loop', 'for (;;) {}', /ran too long/],
    ['an endless promise job', 'await Promise.resolve().then(() => { for (;;) {} })', /ran too long/],
    [
      'a search that the interpreter does not interrupt',
      'const a = "a".repeat(4e5); return a.indexOf(a.slice(2e5) + "b")',
      /ran too long/,
    ],
    ['a scan of an endless length', 'return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)', /ran too long/],
    ['a memory bomb', 'const a = []; for (;;) a.push(new Uint8Array(1e6))', /too much memory/],
    ['deep recursion', 'const f = () => f() + 1; return f()', /nested too deeply/],
    ['a deeply nested result', 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a', /nested too deeply/],
    ['a promise that nothing resolves', 'await new Promise(() => {})', /a promise that never resolves/],
    ['code from text', 'return this.constructor.constructor("return process.env")()', /'process' is not defined/],
    ['a module', 'return require("fs").readFileSync("/etc/passwd")', /require\('fs'\) is not available/],
  ])('end with an error for %s without affecting the next function', async (_name, javascript, message) => {
    expect(await run(javascript)).toMatch(message)
    expect(await run('return "sound"')).toBe('sound')
  })
})

describe('outside calls', () => {
  it('reach an allowed private host from a function and from a node', async () => {
    expect(await run(`return (await (await fetch("http://${allowed}/a", { method: "PUT" })).json()).method`)).toBe(
      'PUT',
    )
    await askFlow(get(`http://${allowed}/b`))
    expect(asked).toEqual(['/a', '/b'])
  })

  it('reach neither this Heddle nor other private hosts', async () => {
    const before = asked.length
    for (const address of [heddle.url, `http://localhost:${allowed.split(':')[1]}/`, 'http://169.254.169.254/']) {
      const refused = /is a private address. To allow it, start Heddle with ALLOW_PRIVATE_HOSTS=/
      expect(await run(`return (await fetch(${JSON.stringify(address)})).status`)).toMatch(refused)
      expect(await askFlow(get(address))).toMatch(refused)
    }
    expect(asked).toHaveLength(before)
  })

  it('check the redirects of an allowed host', async () => {
    expect(await askFlow(get(`http://${allowed}/away`))).toMatch(/is a private address/)
    expect(asked.at(-1)).toBe('/away')
  })
})
