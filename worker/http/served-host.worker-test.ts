// @defends name-resolves-machine
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { users } from '#db/schema/index.ts'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'

let heddle: TestHeddle

beforeAll(async () => {
  heddle = await startTestHeddle({ publicHosts: 'Heddle.example, other.example:8443' })
})
afterAll(() => heddle.close())

interface Asked {
  path: string
  method?: string
  headers: Record<string, string>
  json?: unknown
}

/** Sends headers that `fetch` does not allow. */
function ask({ path, method = 'GET', headers, json }: Asked) {
  const body = json === undefined ? undefined : JSON.stringify(json)
  return new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      const all = { ...headers, ...(body && { 'content-type': 'application/json' }) }
      const sent = request(heddle.url + path, { method, headers: all, agent: false }, (response) => {
        let text = ''
        response.on('data', (part) => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }))
      })
      sent.on('error', reject)
      sent.end(body)
    },
  )
}

const ping = (host: string, headers: Record<string, string> = {}) =>
  ask({ path: '/api/v1/ping', headers: { host, ...headers } })
const person = { name: 'Eve', email: 'eve@example.com', password: 'Correct-horse-9-staple' }

describe('the product', () => {
  it.each(['localhost', 'localhost:8788', '127.0.0.1:1', '[::1]:8788', 'heddle.example', 'HEDDLE.EXAMPLE:8788'])(
    'answers a request for %s',
    async (host) => {
      expect(await ping(host)).toMatchObject({ status: 200, text: 'pong' })
    },
  )

  it('answers a host that is listed with its port', async () => {
    expect((await ping('other.example:8443')).status).toBe(200)
    expect((await ping('other.example')).status).toBe(403)
  })

  it.each(['evil.example', 'localhost.evil.example', 'heddle.example.evil.example', '192.168.0.2:8788'])(
    'rejects a request for the host %j',
    async (host) => {
      for (const path of ['/api/v1/ping', '/', '/assets/x.js']) {
        const { status, headers, text } = await ask({ path, headers: { host } })
        expect({ status, text }).toMatchObject({ status: 403, text: expect.stringContaining('PUBLIC_HOSTS') })
        expect(headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        })
      }
    },
  )

  it('accepts the public origin behind a proxy that ends TLS', async () => {
    const headers = { host: 'heddle.example', 'x-forwarded-proto': 'https' }
    const from = (origin: string) =>
      ask({ path: '/api/v1/auth/login', method: 'POST', headers: { ...headers, origin }, json: {} })
    expect((await from('https://heddle.example')).status).toBe(400)
    expect((await from('http://heddle.example')).status).toBe(403)
    expect((await from('https://heddle.example.evil.example')).status).toBe(403)
  })
})

describe('headers that make a local runtime replace the URL', () => {
  const path = '/api/v1/prediction/00000000-0000-4000-8000-000000000000'

  it('lead to the path of the request only', async () => {
    const host = new URL(heddle.url).host
    for (const to of ['https://evil.example', 'http://localhost', `http://${host}`]) {
      const headers = { origin: 'https://evil.example', 'mf-original-url': `${to}/api/v1/account/register` }
      expect((await ask({ path, method: 'POST', headers, json: person })).status).toBe(401)
    }
    expect(await heddle.database.$count(users)).toBe(0)
  })

  it('are not allowed from pages of other sites', async () => {
    const headers = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'mf-original-url,content-type',
    }
    const { headers: answered } = await ask({ path, method: 'OPTIONS', headers })
    expect(answered['access-control-allow-origin']).toBe('*')
    const allowed = String(answered['access-control-allow-headers']).toLowerCase().split(',')
    expect(allowed).toContain('content-type')
    expect(allowed.filter((name) => name.startsWith('mf-'))).toEqual([])
  })
})
