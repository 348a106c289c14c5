import { expect, it } from 'vitest'
import type { OpenApiDocument } from '#contract/openapi.ts'
import { type ApiCall, accessOf, curlOf, groupsOf, searchCalls } from './calls.ts'

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

const groups = groupsOf(document)
const found = (query: string) =>
  searchCalls(groups, query).flatMap(({ calls }) => calls.map((call) => call.operationId))

it('lists calls by area, in the order of the areas', () => {
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
])('finds by every word: %j', (query, ids) => {
  expect(found(query)).toEqual(ids)
})

const call = (more: object) =>
  ({ ...operation, method: 'POST', path: '/things', summary: '', operationId: '', ...more }) as ApiCall

it('says who may call', () => {
  expect(accessOf(call({}))).toBe('Everybody')
  expect(accessOf(call({ security: [{ session: [] }] }))).toContain('signed in')
  expect(accessOf(call({ security: [{ apiKey: [] }], 'x-permission': ['a:b'] }))).toContain('this permission')
})

it('writes a command that a shell reads as it is meant', () => {
  const requestBody = { required: true, content: { 'application/json': { example: { name: "Ann's" } } } }
  const text = curlOf(call({ requestBody, security: [{ apiKey: [] }] }), 'https://x.example/api/v1')
  expect(text).toBe(
    [
      "curl -X POST 'https://x.example/api/v1/things'",
      "  -H 'Authorization: Bearer <API key>'",
      "  -H 'Content-Type: application/json'",
      `  -d '{\n  "name": "Ann'\\''s"\n}'`,
    ].join(' \\\n'),
  )
})
