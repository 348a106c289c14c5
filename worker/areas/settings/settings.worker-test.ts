import { afterAll, beforeAll, expect, it } from 'vitest'
import { VERSION } from '#contract/version.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'

let heddle: TestHeddle
beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
})
afterAll(() => heddle.close())

const get = (path: string) => heddle.fetch(`/api/v1${path}`)

it('answers the calls that Flowise clients make before sign-in', async () => {
  expect(await (await get('/version')).json()).toEqual({ version: VERSION })
  expect(await (await get('/loginmethod/default')).json()).toEqual({ providers: [], methods: [] })
})

it('serves the icons of credential types', async () => {
  const icon = await get('/components-credentials-icon/openAIApi')
  expect(icon.headers.get('content-type')).toBe('image/svg+xml')
  expect(await icon.text()).toMatch(/^<svg /)
  expect((await get('/components-credentials-icon/nothing')).status).toBe(404)
})

it('lists the flows of an API key to its holder', async () => {
  const [ann, bob] = [await heddle.signUp(), await heddle.signUp()]
  const { body: key } = await call(ann, 'POST', '/apikey', { keyName: 'k', permissions: ['agentflows:view'] })
  const { body: blind } = await call(ann, 'POST', '/apikey', { keyName: 'b', permissions: ['variables:view'] })
  const keys: { id: string; keyName: string }[] = (await call(ann, 'GET', '/apikey')).body
  const apikeyid = keys.find(({ keyName }) => keyName === 'k')?.id
  const other = keys.find(({ keyName }) => keyName === 'b')?.id
  const flow = { flowData: '{"nodes":[],"edges":[]}', type: 'AGENTFLOW' }
  await call(ann, 'POST', '/chatflows', { ...flow, name: 'bound', apikeyid })
  await call(ann, 'POST', '/chatflows', { ...flow, name: 'free' })
  await call(ann, 'POST', '/chatflows', { ...flow, name: 'of another key', apikeyid: other })
  await call(ann, 'POST', '/chatflows', { ...flow, name: 'not for this key', type: 'CHATFLOW' })
  await call(bob, 'POST', '/chatflows', { ...flow, name: 'of Bob' })
  const names = async (query: string) => {
    const rows: { name: string }[] = await (await get(`/chatflows/apikey/${key.apiKey}${query}`)).json()
    return rows.map(({ name }) => name).sort()
  }
  expect(await names('')).toEqual(['bound', 'free'])
  expect(await names('?keyonly=true')).toEqual(['bound'])
  expect((await get('/chatflows/apikey/nonsense')).status).toBe(401)
  expect((await get(`/chatflows/apikey/${blind.apiKey}`)).status).toBe(403)
})
