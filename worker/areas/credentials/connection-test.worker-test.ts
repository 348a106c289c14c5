import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { type EchoServer, startEchoServer } from '../../../e2e/support/echo-server.ts'

let heddle: TestHeddle
let echo: EchoServer
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  echo = await startEchoServer()
  heddle = await startTestHeddle({ platformType: 'cloud', allowPrivateHosts: echo.host })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterAll(async () => {
  await heddle.close()
  await echo.close()
})
beforeEach(() => {
  echo.requests.length = 0
})

const SECRET = 'the-token-of-the-service'
const TEST = '/credentials/test'
const token = { credentialName: 'httpBearerToken', plainDataObj: { token: SECRET } }
const addToken = async (client: TestClient) =>
  (await call(client, 'POST', '/credentials', { ...token, name: 'Token' })).body.id as string

it('tries a credential before it is saved, with the address that a person names', async () => {
  const answer = await call(ann, 'POST', TEST, { ...token, url: `${echo.url}/me` })
  expect(answer.body).toEqual({ ok: true, status: 200, message: `${echo.host} accepts it.` })
  expect(echo.requests).toMatchObject([{ url: '/me', headers: { authorization: `Bearer ${SECRET}` } }])
  expect(answer.text).not.toContain(SECRET)
})

it.each([
  ['qdrantApi', { qdrantApiKey: SECRET }, { 'api-key': SECRET }],
  ['weaviateApi', { weaviateApiKey: SECRET }, { authorization: `Bearer ${SECRET}` }],
  ['chromaApi', { chromaApiKey: SECRET }, { 'x-chroma-token': SECRET }],
  ['supabaseApi', { supabaseApiKey: SECRET }, { apikey: SECRET, authorization: `Bearer ${SECRET}` }],
])('tries the key of a vector store as %s sends it', async (credentialName, plainDataObj, headers) => {
  const { body } = await call(ann, 'POST', TEST, { credentialName, plainDataObj, url: echo.url })
  expect(body.ok).toBe(true)
  expect(echo.requests).toMatchObject([{ headers }])
})

it('tries what is stored with what the form has changed', async () => {
  const id = await addToken(ann)
  const { credentialName } = token
  await call(ann, 'POST', TEST, { id, credentialName, url: echo.url })
  await call(ann, 'POST', TEST, { id, credentialName, plainDataObj: { token: 'another-token' }, url: echo.url })
  const sent = echo.requests.map(({ headers }) => headers.authorization)
  expect(sent).toEqual([`Bearer ${SECRET}`, 'Bearer another-token'])
})

it('a connection test says what to do when nobody answers', async () => {
  const { status, body } = await call(ann, 'POST', TEST, { ...token, url: 'http://127.0.0.1:1/' })
  expect(status).toBe(200)
  expect(body.ok).toBe(false)
  expect(body.message).toContain('ALLOW_PRIVATE_HOSTS')
})

it.each([
  ['an address is missing', { ...token }, 'url'],
  ['the address is no address', { ...token, url: 'file:///etc/passwd' }, 'url'],
  ['a field is missing', { ...token, plainDataObj: {}, url: 'https://example.com' }, 'plainDataObj.token'],
  ['the type is unknown', { credentialName: 'nope' }, 'credentialName'],
])('refuses a test when %s', async (_, body, field) => {
  expect(await call(ann, 'POST', TEST, body)).toMatchObject({ status: 400, body: { field } })
})

it('offers no test of a type that only a flow can try', async () => {
  const body = { credentialName: 'tavilyApi', plainDataObj: { tavilyApiKey: 'k' } }
  const { status, text } = await call(ann, 'POST', TEST, body)
  expect(status).toBe(400)
  expect(text).toContain('Run a flow that uses it')
  expect((await call(ann, 'GET', '/components-credentials/tavilyApi')).body).not.toHaveProperty('test')
  expect((await call(ann, 'GET', '/components-credentials/httpBearerToken')).body.test).toBe('url')
})

it.each([
  ['openAIApi', { test: 'either', testHost: 'api.openai.com' }],
  ['githubApi', { test: 'provider', testHost: 'api.github.com' }],
  ['cloudflareWorkersAI', { test: 'provider', testHost: 'api.cloudflare.com' }],
])('says which host a test of %s sends the secret to', async (name, expected) => {
  expect((await call(ann, 'GET', `/components-credentials/${name}`)).body).toMatchObject(expected)
})

it('sends the key of a gateway to the address that the node has, and not to the provider', async () => {
  const draft = { credentialName: 'openAIApi', plainDataObj: { openAIApiKey: SECRET } }
  const { body } = await call(ann, 'POST', TEST, { ...draft, url: `${echo.url}/v1/models` })
  expect(body).toEqual({ ok: true, status: 200, message: `${echo.host} accepts it.` })
  expect(echo.requests).toMatchObject([{ url: '/v1/models', headers: { authorization: `Bearer ${SECRET}` } }])
})

it('sends no stored secret for another workspace', async () => {
  const id = await addToken(ann)
  const body = { id, credentialName: token.credentialName, url: echo.url }
  expect((await call(bob, 'POST', TEST, body)).status).toBe(404)
  expect(echo.requests).toEqual([])
})

it('sends no secret to an address of somebody who could not build a flow that does so', async () => {
  const id = await addToken(ann)
  const permissions = ['credentials:update']
  const { body: keys } = await call(ann, 'POST', '/apikey', { keyName: 'k', permissions })
  const headers = { authorization: `Bearer ${keys[0]?.apiKey ?? keys.apiKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ id, credentialName: token.credentialName, url: echo.url })
  expect((await heddle.fetch(`/api/v1${TEST}`, { method: 'POST', headers, body })).status).toBe(403)
  expect(echo.requests).toEqual([])
})
