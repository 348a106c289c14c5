// @defends third-host-poses
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'

const origin = 'https://app.example.com'
let heddle: TestHeddle
let owner: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ uiBaseUrl: origin })
  owner = await heddle.signUp()
})
afterAll(() => heddle.close())

const leaveOf = ({ headers }: Response) => [
  headers.get('access-control-allow-origin'),
  headers.get('access-control-allow-credentials'),
]
const preflight = (path: string, from: string) =>
  heddle.fetch(`/api/v1${path}`, {
    method: 'OPTIONS',
    headers: {
      origin: from,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type,x-request-from,x-xsrf-token',
    },
  })
const variable = (name: string) => ({ name, type: 'static', value: '1' })

describe('pages from the configured origin', () => {
  it('act as the signed-in user', async () => {
    const headers = { origin }
    const made = await owner.fetch('/api/v1/variables', { method: 'POST', headers, json: variable('REGION') })
    expect([made.status, ...leaveOf(made)]).toEqual([200, origin, 'true'])
    expect(made.headers.get('vary')).toContain('Origin')
    const renewed = await owner.fetch('/api/v1/auth/refreshToken', { method: 'POST', headers, json: {} })
    expect([renewed.status, ...leaveOf(renewed)]).toEqual([200, origin, 'true'])
  })

  it('need the XSRF token', async () => {
    const headers = { origin, 'x-xsrf-token': 'guessed' }
    const response = await owner.fetch('/api/v1/variables', { method: 'POST', headers, json: variable('OTHER') })
    expect([response.status, ...leaveOf(response)]).toEqual([403, origin, 'true'])
  })

  it('can read errors and public responses', async () => {
    for (const path of ['/auth/me', '/nothing', '/public-chatbotConfig/x', '/openapi.json']) {
      expect(leaveOf(await heddle.fetch(`/api/v1${path}`, { headers: { origin } }))).toEqual([origin, 'true'])
    }
  })

  it('pass the preflight request', async () => {
    for (const path of ['/variables/x', '/public-chatbotConfig/x']) {
      const response = await preflight(path, origin)
      expect([response.status, ...leaveOf(response)]).toEqual([204, origin, 'true'])
      expect(response.headers.get('access-control-allow-methods')).toBe('GET,POST,PUT,PATCH,DELETE')
      expect(response.headers.get('access-control-allow-headers')).toBe(
        'Content-Type,X-Request-From,X-XSRF-TOKEN,X-Workspace-Id',
      )
    }
  })
})

describe.each([
  'http://app.example.com',
  'https://app.example.com:8443',
  'https://app.example.com.evil.example',
  'https://api.example.com',
  'https://example.com',
  'null',
])('pages from %s', (other) => {
  it('are rejected when another origin is configured', async () => {
    const headers = { origin: other }
    const made = await owner.fetch('/api/v1/variables', { method: 'POST', headers, json: variable('EVIL') })
    expect([made.status, ...leaveOf(made)]).toEqual([403, null, null])
    expect(leaveOf(await owner.fetch('/api/v1/auth/me', { headers }))).toEqual([null, null])
    expect(leaveOf(await preflight('/variables/x', other))).toEqual([null, null])
    expect(leaveOf(await preflight('/public-chatbotConfig/x', other))).toEqual(['*', null])
  })
})

it('accepts pages from the API’s own origin when another one is configured', async () => {
  const response = await owner.fetch('/api/v1/variables', { method: 'POST', json: variable('HOME') })
  expect([response.status, ...leaveOf(response)]).toEqual([200, null, null])
})
