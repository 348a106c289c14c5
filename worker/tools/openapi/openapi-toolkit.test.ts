// @defends tool-schema-expands
import { Validator } from '@cfworker/json-schema'
import { describe, expect, it } from 'vitest'
import { fakeNetwork } from '../../ports/testing/fake-network.ts'
import type { SandboxRequest } from '../../ports/types.ts'
import { contextOf, openTools, type ToolSetting, toolNamed } from '../testing/tools.ts'

const SPEC = `
openapi: 3.0.3
info: { title: Shop, version: '1' }
servers:
  - url: https://{region}.shop.example/v1/
    description: Live
    variables: { region: { default: eu } }
  - url: https://test.shop.example
paths:
  /items/{id}:
    parameters:
      - $ref: '#/components/parameters/Id'
      - { name: lang, in: query, schema: { type: string } }
    get:
      operationId: getItem
      summary: One item
      parameters:
        - { name: lang, in: query, required: true, description: The language, schema: { type: string, enum: [en, de] } }
        - { name: tags, in: query, schema: { type: array, items: { type: string } } }
        - { name: ids, in: query, explode: false, schema: { type: array, items: { type: integer } } }
        - { name: filter, in: query, style: deepObject, schema: { type: object } }
        - { name: X-Trace, in: header, schema: { type: string } }
        - { name: Authorization, in: header, schema: { type: string } }
        - { name: session, in: cookie, schema: { type: string } }
    patch:
      description: Changes an item
      requestBody: { $ref: '#/components/requestBodies/Item' }
  /items:
    post:
      operationId: items.create
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } }
  /form:
    post:
      operationId: sendForm
      requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object, properties: { a: { type: string } } } } } }
  /upload:
    post:
      operationId: upload
      requestBody: { content: { multipart/form-data: { schema: { type: object, properties: { note: { type: string } } } } } }
components:
  parameters:
    Id: { name: id, in: path, required: true, schema: { type: string } }
  requestBodies:
    Item: { content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
  schemas:
    Item:
      type: object
      description: A thing
      required: [name, id]
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string, pattern: '^[a-z]+$', minLength: 1 }
        price: { type: number, minimum: 0, exclusiveMinimum: true, nullable: true }
        parent: { $ref: '#/components/schemas/Item' }
        parts: { type: array, items: { $ref: '#/components/schemas/Item' } }
        kind: { oneOf: [{ type: string }, { $ref: '#/components/schemas/Kind' }] }
        x-hidden: { type: string }
      example: { name: cup }
    Kind: { type: object, properties: { of: { type: string, const: cup } }, additionalProperties: { $ref: '#/components/schemas/Kind' } }
`

const link = 'https://docs.example/api.yaml'
const eu = 'https://eu.shop.example/v1'

function network() {
  return fakeNetwork({
    [link]: new Response(SPEC),
    [`${eu}/items/a%2Fb?lang=de&tags=x&tags=y&ids=1%2C2&filter%5Bmin%5D=3`]: Response.json({ id: 1 }),
    [`${eu}/items/7`]: Response.json({ ok: true }),
    [`${eu}/items`]: Response.json({ message: 'name is taken' }, { status: 409, statusText: 'Conflict' }),
    [`${eu}/form`]: new Response('formed'),
    [`${eu}/upload`]: new Response('uploaded'),
    'https://test.shop.example/form': new Response('tested'),
  })
}

const open = (config: Record<string, unknown> = {}, setting: ToolSetting = {}, net = network()) =>
  openTools('openAPIToolkit', net, { ...setting, config: { inputType: 'link', openApiLink: link, ...config } })

const dataUrl = (text: string) => `data:application/x-yaml;base64,${btoa(text)},filename:api.yaml`

describe('an OpenAPI specification', () => {
  it.each([
    ['a link', {}],
    ['an uploaded file', { inputType: 'file', openApiFile: dataUrl(SPEC) }],
    ['a list of one uploaded file', { inputType: 'file', openApiFile: JSON.stringify([dataUrl(SPEC)]) }],
    ['pasted text', { inputType: 'file', openApiFile: SPEC }],
  ])('is read from %s and each operation becomes a tool', async (_, config) => {
    const opened = await open(config)
    expect([...opened.values()].map(({ name, hasEffect }) => [name, hasEffect])).toEqual([
      ['getItem', false],
      ['PATCH_items_id', true],
      ['items_create', true],
      ['sendForm', true],
      ['upload', true],
    ])
    expect(opened.get('getItem')?.description).toBe('One item')
  })

  it('can be JSON', async () => {
    const json = JSON.stringify({ openapi: '3.1.0', servers: [{ url: eu }], paths: { '/a': { get: {} } } })
    expect([...(await open({ inputType: 'file', openApiFile: json })).keys()]).toEqual(['GET_a'])
  })

  it.each([
    [{ inputType: 'file', openApiFile: '' }, 'choose an OpenAPI file'],
    [{ inputType: 'file', openApiFile: 'FILE-STORAGE::api.yaml' }, 'the file api.yaml is stored on the server'],
    [{ inputType: 'file', openApiFile: dataUrl('a: [') }, 'neither JSON nor YAML: Flow sequence'],
    [{ inputType: 'file', openApiFile: 'data:text/yaml;base64,###' }, 'could not be read'],
    [{ inputType: 'file', openApiFile: 'hello' }, 'this is not an OpenAPI specification: it has no "paths"'],
    [{ inputType: 'file', openApiFile: '{"swagger": "2.0", "paths": {}}' }, 'this is Swagger 2.0. Convert it'],
    [{ inputType: 'file', openApiFile: '{"openapi": "3.0.0", "paths": {"/a": {"get": {}}}}' }, 'has no server'],
    [{ openApiLink: '' }, 'OpenAPI link is empty'],
    [{ openApiLink: 'api.yaml' }, '"api.yaml" is not a valid URL'],
    [{ openApiLink: 'http://10.0.0.1/api.yaml' }, 'private address'],
    [{ selectedEndpoints: '["gone"]' }, 'none of the selected endpoints'],
    [{ headers: 'x' }, '"headers" must be a JSON object'],
  ])('%j: %s', async (config, message) => {
    await expect(open(config)).rejects.toThrow(message)
  })

  it('with too many operations asks to select some', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`/p${at}`, { get: { operationId: `p${at}` } }]),
    )
    const openApiFile = JSON.stringify({ openapi: '3.0.0', servers: [{ url: eu }], paths })
    await expect(open({ inputType: 'file', openApiFile })).rejects.toThrow(
      '200 endpoints are selected. Select at most 128',
    )
    const chosen = await open({ inputType: 'file', openApiFile, selectedEndpoints: ['p3', 'p5'] })
    expect([...chosen.keys()]).toEqual(['p3', 'p5'])
  })

  it.each([
    ['#/components/nothing', 'does not exist'],
    ['#/constructor', 'does not exist'],
    ['other.yaml#/a', 'is in another file'],
    ['#/paths/~1a/get/parameters/0', 'refers to itself'],
  ])('with the reference %s fails: %s', async ($ref, message) => {
    const document = { openapi: '3.0.0', servers: [{ url: eu }], paths: { '/a': { get: { parameters: [{ $ref }] } } } }
    await expect(open({ inputType: 'file', openApiFile: JSON.stringify(document) })).rejects.toThrow(message)
  })
})

describe('arguments of an operation', () => {
  it('include path, query and header parameters', async () => {
    expect((await open()).get('getItem')?.parameters).toEqual({
      type: 'object',
      properties: {
        PathParameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
        QueryParameters: {
          type: 'object',
          properties: {
            lang: { type: 'string', enum: ['en', 'de'], description: 'The language' },
            tags: { type: 'array', items: { type: 'string' } },
            ids: { type: 'array', items: { type: 'integer' } },
            filter: { type: 'object' },
          },
          required: ['lang'],
        },
        HeaderParameters: { type: 'object', properties: { 'X-Trace': { type: 'string' } }, required: [] },
      },
      required: ['PathParameters', 'QueryParameters'],
    })
  })

  it('include the body with references resolved and recursion expanded once', async () => {
    const outline = { type: 'object', description: 'A thing' }
    const parameters = (await open()).get('items_create')?.parameters
    expect(parameters).toEqual({
      type: 'object',
      properties: {
        RequestBody: {
          type: 'object',
          description: 'A thing',
          properties: {
            name: { type: 'string', minLength: 1, description: 'Pattern: ^[a-z]+$' },
            price: { type: ['number', 'null'], exclusiveMinimum: 0 },
            parent: outline,
            parts: { type: 'array', items: outline },
            kind: {
              oneOf: [
                { type: 'string' },
                {
                  type: 'object',
                  properties: { of: { type: 'string', const: 'cup' } },
                  additionalProperties: { type: 'object' },
                },
              ],
            },
            'x-hidden': { type: 'string' },
          },
          required: ['name'],
        },
      },
      required: ['RequestBody'],
    })
    const check = (body: object) => new Validator(parameters as never).validate({ RequestBody: body }).valid
    expect(check({ name: 'cup', price: null, parts: [{ name: 'handle' }] })).toBe(true)
    expect(check({ name: 'cup', price: 0 })).toBe(false)
    expect(check({ price: 1 })).toBe(false)
  })

  it('stay small for schemas that reference each other', async () => {
    const level = (next: string) => ({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 9 }, (_, at) => [`p${at}`, { $ref: `#/components/schemas/${next}` }]),
      ),
    })
    const schemas = Object.fromEntries([...'ABCDEFGH'].map((name, at, all) => [name, level(all[at + 1] ?? 'I')]))
    const openApiFile = JSON.stringify({
      openapi: '3.0.0',
      servers: [{ url: eu }],
      paths: {
        '/a': {
          post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } } },
        },
      },
      components: { schemas: { ...schemas, I: { type: 'string' } } },
    })
    const [tool] = (await open({ inputType: 'file', openApiFile })).values()
    expect(JSON.stringify(tool?.parameters).length).toBeLessThan(200_000)
  })

  it('reject an endpoint whose parameters are too large for a model', async () => {
    const wide = (next: string) => ({
      properties: Object.fromEntries(
        Array.from({ length: 3_000 }, (_, at) => [`p${at}`, { $ref: `#/components/schemas/${next}` }]),
      ),
    })
    const schemas = Object.fromEntries([...'ABCDEFGH'].map((name, at, all) => [name, wide(all[at + 1] ?? 'I')]))
    const schema = { $ref: '#/components/schemas/A' }
    const parameters = [{ name: 'a', in: 'query', schema }]
    const openApiFile = JSON.stringify({
      openapi: '3.0.0',
      servers: [{ url: eu }],
      paths: { '/a': { get: { parameters } } },
      components: { schemas: { ...schemas, I: { type: 'string' } } },
    })
    await expect(open({ inputType: 'file', openApiFile })).rejects.toThrow('too large for a model')
  })
})

describe('requests of an operation', () => {
  it('prefer configured headers over the model’s, case-insensitively', async () => {
    const net = network()
    const tool = (await open({ headers: '{"x-trace": "mine"}' }, {}, net)).get('getItem')
    await tool?.call({
      PathParameters: { id: 'a/b' },
      QueryParameters: { lang: 'de', tags: ['x', 'y'], ids: [1, 2], filter: { min: 3 } },
      HeaderParameters: { 'X-Trace': 'of the model' },
    })
    expect(net.seen.at(-1)?.headers['x-trace']).toBe('mine')
  })

  it.each([
    [{ access_token: 'of-the-account' }, { authorization: 'Bearer of-the-account' }],
    [{ basicAuthUsername: 'ann', basicAuthPassword: 'p' }, { authorization: `Basic ${btoa('ann:p')}` }],
    [{ key: 'X-Api-Key', value: 'of-the-service' }, { 'x-api-key': 'of-the-service' }],
  ])('are proven by the credential, which the model cannot replace: %j', async (credential, headers) => {
    const net = network()
    const tool = (await open({}, { credential }, net)).get('getItem')
    await tool?.call({
      PathParameters: { id: 'a/b' },
      QueryParameters: { lang: 'de', tags: ['x', 'y'], ids: [1, 2], filter: { min: 3 } },
      HeaderParameters: { Authorization: 'Bearer stolen' },
    })
    expect(net.seen.at(-1)?.headers).toMatchObject(headers)
  })

  it('ignore a path that would change the host', async () => {
    const paths = { '.evil.example/a': { get: {} }, '@evil.example/b': { get: {} }, '/c': { get: {} } }
    const openApiFile = JSON.stringify({ openapi: '3.0.0', servers: [{ url: 'https://shop.example' }], paths })
    expect([...(await open({ inputType: 'file', openApiFile })).keys()]).toEqual(['GET_c'])
  })

  it('serialize path, query and headers by the parameters’ styles', async () => {
    const net = network()
    const tool = (await open({ headers: '{"Authorization": "Bearer t"}' }, {}, net)).get('getItem')
    const answer = await tool?.call({
      PathParameters: { id: 'a/b' },
      QueryParameters: { lang: 'de', tags: ['x', 'y'], ids: [1, 2], filter: { min: 3 } },
      HeaderParameters: { 'X-Trace': '9', Authorization: 'Bearer stolen' },
    })
    expect(answer).toBe('{"id":1}')
    expect(net.seen.at(-1)).toMatchObject({
      method: 'GET',
      headers: { 'x-trace': '9', authorization: 'Bearer t' },
      body: '',
    })
    expect(net.seen.at(-1)?.headers).not.toHaveProperty('idempotency-key')
  })

  it('send the body with the idempotency key of the call', async () => {
    const net = network()
    const tool = (await open({}, {}, net)).get('PATCH_items_id')
    await tool?.call({ PathParameters: { id: 7 }, RequestBody: { name: 'cup', price: null } }, 'run-1:agent_0-1')
    expect(net.seen.at(-1)).toMatchObject({
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'run-1:agent_0-1' },
      body: '{"name":"cup","price":null}',
    })
  })

  it('omit null values if configured', async () => {
    const net = network()
    const tool = (await open({ removeNulls: true }, {}, net)).get('PATCH_items_id')
    await tool?.call({ PathParameters: { id: 7 }, RequestBody: { name: 'cup', price: null, kind: { of: null } } })
    expect(net.seen.at(-1)?.body).toBe('{"name":"cup"}')
  })

  it('send forms as forms, to the selected server', async () => {
    const net = network()
    await (await open({}, {}, net)).get('upload')?.call({ RequestBody: { note: 'hi', none: null } })
    expect(net.seen.at(-1)?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(net.seen.at(-1)?.body).toMatch(/name="note"\r\n\r\nhi\r\n/)
    const chosen = await open({ selectedServer: 'https://test.shop.example' }, {}, net)
    expect(await chosen.get('sendForm')?.call({ RequestBody: { a: '1 2' } })).toBe('tested')
    expect(net.seen.at(-1)).toMatchObject({ body: 'a=1+2' })
  })

  it.each(['..', '.', '', undefined])('reject the path value %j, which would change the path', async (id) => {
    const tool = (await open()).get('PATCH_items_id')
    await expect(tool?.call({ PathParameters: { id } })).rejects.toThrow('cannot be the value of id')
  })

  it('pass on the API’s error message', async () => {
    const tool = (await open({ returnDirect: true })).get('items_create')
    expect(tool?.returnDirect).toBe(true)
    await expect(tool?.call({ RequestBody: { name: 'cup' } })).rejects.toThrow(
      'items.create responded with 409 Conflict: name is taken',
    )
  })
})

describe('custom code of an operation', () => {
  it('runs in the sandbox with the request and the arguments', async () => {
    const ran: SandboxRequest[] = []
    const sandbox = {
      run: async (request: SandboxRequest) => {
        ran.push(request)
        return { value: { short: true }, logs: [] }
      },
    }
    const customCode = "const fetch = require('node-fetch');\nreturn (await fetch($url, $options)).text()"
    const net = network()
    const opened = await open({ customCode }, { sandbox }, net)
    expect(opened.get('getItem')?.hasEffect).toBe(true)
    const args = { PathParameters: { id: 7 }, RequestBody: { name: 'cup' } }
    expect(await opened.get('PATCH_items_id')?.call(args, 'key-9')).toBe('{"short":true}')
    expect(ran[0]?.code.trim()).toBe('return (await fetch($url, $options)).text()')
    expect(ran[0]?.globals).toEqual({
      $url: `${eu}/items/7`,
      $options: {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'key-9' },
        body: '{"name":"cup"}',
      },
      $PathParameters: { id: 7 },
      $QueryParameters: {},
      $HeaderParameters: {},
      $RequestBody: { name: 'cup' },
    })
    expect(net.seen).toHaveLength(1)
  })

  it.each(['$vars', '$flow'])('that uses %s is rejected', async (name) => {
    await expect(open({ customCode: `return ${name}.x` })).rejects.toThrow(`Custom code can't use ${name}`)
  })
})

describe('options for the canvas', () => {
  const load = (method: string, config: Record<string, unknown> = {}) => {
    const context = contextOf('openAPIToolkit', network(), {
      config: { inputType: 'link', openApiLink: link, ...config },
    })
    return toolNamed('openAPIToolkit').loadMethods?.[method]?.(context)
  }

  it('list servers with their variables replaced', async () => {
    expect(await load('listServers')).toEqual([
      { label: eu, name: eu, description: 'Live' },
      {
        label: 'https://test.shop.example',
        name: 'https://test.shop.example',
        description: 'https://test.shop.example',
      },
    ])
  })

  it('resolve relative servers against the link', async () => {
    const relative = fakeNetwork({
      [link]: new Response('openapi: 3.0.0\nservers: [{url: ../v2/}]\npaths: {/a: {get: {}}}'),
    })
    const context = contextOf('openAPIToolkit', relative, { config: { inputType: 'link', openApiLink: link } })
    expect(await toolNamed('openAPIToolkit').loadMethods?.listServers?.(context)).toMatchObject([
      { name: 'https://docs.example/v2' },
    ])
  })

  it('list endpoints sorted by name', async () => {
    expect((await load('listEndpoints'))?.map(({ name }) => name)).toEqual([
      'getItem',
      'items.create',
      'PATCH /items/{id}',
      'sendForm',
      'upload',
    ])
  })

  it('report why there are none', async () => {
    await expect(load('listEndpoints', { openApiLink: 'https://docs.example/gone' })).rejects.toThrow(
      'could not be reached',
    )
  })
})
