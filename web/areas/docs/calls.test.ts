import { expect, it } from 'vitest'
import type { OpenApiDocument } from '#contract/openapi.ts'
import { type ApiCall, accessOf, buildCurl, groupByArea, searchCalls } from './calls.ts'

const operation = { tags: ['Flows'], security: [], parameters: [], responses: {} }
const document = {
  tags: [{ name: 'Variables' }, { name: 'Flows' }],
  paths: {
    '/chatflows': {
      get: { ...operation, operationId: 'getChatflows', summary: 'List flows', 'x-permission': ['chatflows:view'] },
      post: { ...operation, operationId: 'postChatflows', summary: 'Create a flow' },
    },
    '/variables': {
      get: { ...operation, tags: ['Variables'], operationId: 'getVariables', summary: 'List variables' },
    },
  },
} as unknown as OpenApiDocument

const groups = groupByArea(document)
const found = (query: string) =>
  searchCalls(groups, query).flatMap(({ calls }) => calls.map((call) => call.operationId))

it('groups endpoints by area', () => {
  expect(groups.map(({ name, calls }) => [name, calls.length])).toEqual([
    ['Variables', 1],
    ['Flows', 2],
  ])
})

it.each([
  ['', ['getVariables', 'getChatflows', 'postChatflows']],
  ['list', ['getVariables', 'getChatflows']],
  ['FLOWS post', ['postChatflows']],
  ['chatflows:view', ['getChatflows']],
  ['nothing', []],
])('finds endpoints that match every word of %j', (query, ids) => {
  expect(found(query)).toEqual(ids)
})

const call = (more: object) =>
  ({ ...operation, method: 'POST', path: '/things', summary: '', operationId: '', ...more }) as ApiCall

it('describes who can call an endpoint', () => {
  expect(accessOf(call({}))).toBe('No authentication required.')
  expect(accessOf(call({ security: [{ session: [] }] }))).toContain('Signed-in users')
  expect(accessOf(call({ security: [{ apiKey: [] }], 'x-permission': ['a:b'] }))).toContain('this permission')
})

it('escapes the curl command for the shell', () => {
  const requestBody = { required: true, content: { 'application/json': { example: { name: "Ann's" } } } }
  const text = buildCurl(call({ requestBody, security: [{ apiKey: [] }] }), 'https://x.example/api/v1')
  expect(text).toBe(
    [
      "curl -X POST 'https://x.example/api/v1/things'",
      "  -H 'Authorization: Bearer <API key>'",
      "  -H 'Content-Type: application/json'",
      `  -d '{\n  "name": "Ann'\\''s"\n}'`,
    ].join(' \\\n'),
  )
})
