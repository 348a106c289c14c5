// @defends model-sends-request
import { describe, expect, it } from 'vitest'
import type { Egress } from '../../../ports/types.ts'
import { modelThat, scriptedModel, toldTo } from '../../testing/steps.ts'
import { drawChat, type Inputs, outputOf, runChat } from '../testing/chat.ts'

const SPEC = `openapi: 3.0.0
info: { title: Pets, version: '1' }
servers: [{ url: 'https://pets.example.com/v1' }]
paths:
  /pets/{id}:
    get:
      operationId: readPet
      summary: Reads one pet
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
  /pets:
    post:
      operationId: addPet
      summary: Adds a pet
      requestBody:
        content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } }
`

function outside() {
  const sent: Request[] = []
  const egress: Egress = {
    async fetch(input, init) {
      const request = new Request(input, init)
      sent.push(request)
      if (request.url.endsWith('/openapi.yaml')) return new Response(SPEC)
      return Response.json({ name: 'Rex' })
    },
  }
  return { sent, egress }
}

const flowWith = (inputs: Inputs) =>
  drawChat({ scripted_0: {}, openApiChain_0: { inputs } }, ['scripted_0 > openApiChain_0.model'])

const chooses = (operation: string) => [JSON.stringify({ operation })]
const writes = (args: object) => [JSON.stringify(args)]

describe('the OpenAPI chain', () => {
  it.each([
    ['a link', { yamlLink: 'https://docs.example.com/openapi.yaml' }, 2],
    ['a text', { specification: SPEC }, 1],
    ['a file', { yamlFile: `data:application/yaml;base64,${btoa(SPEC)},filename:pets.yaml` }, 1],
  ])('answers from the operation that the model picks in %s', async (_, inputs, requests) => {
    const { sent, egress } = outside()
    const model = scriptedModel(chooses('readPet'), writes({ PathParameters: { id: 'a/b' } }), ['It is Rex'])
    const ended = await runChat(flowWith({ ...inputs, headers: '{"x-team":"a"}' }), { models: model, egress })
    expect([ended.error, ended.text]).toEqual([undefined, 'It is Rex'])
    expect(sent).toHaveLength(requests)
    expect(sent.at(-1)?.url).toBe('https://pets.example.com/v1/pets/a%2Fb')
    expect(sent.at(-1)?.headers.get('x-team')).toBe('a')
    expect(toldTo(model)[0]).toContain('addPet: Adds a pet')
    expect(toldTo(model, 2)[0]).toContain('Rex')
    expect(outputOf(ended).request).toMatchObject({ operation: 'readPet', method: 'GET' })
  })

  it('writes with a key that lets the API know a repetition', async () => {
    const { sent, egress } = outside()
    const model = scriptedModel(chooses('addPet'), writes({ RequestBody: { name: 'Rex' } }), ['Added'])
    await runChat(flowWith({ specification: SPEC }), { models: model, egress })
    expect(sent[0]?.method).toBe('POST')
    expect(sent[0]?.headers.get('idempotency-key')).not.toBe('')
    expect(await sent[0]?.json()).toEqual({ name: 'Rex' })
  })

  it('sends nothing that the specification does not have', async () => {
    const { sent, egress } = outside()
    const model = modelThat(() => writes({ operation: 'https://evil.example.com/' }))
    const ended = await runChat(flowWith({ specification: SPEC }), { models: model, egress })
    expect(ended.error).toContain('the API has no such operation')
    expect(model.calls).toHaveLength(2)
    expect(sent).toEqual([])
  })

  it('does not leave the path of an operation', async () => {
    const { sent, egress } = outside()
    const model = scriptedModel(chooses('readPet'), writes({ PathParameters: { id: '..' } }))
    const ended = await runChat(flowWith({ specification: SPEC }), { models: model, egress })
    expect(ended.error).toContain('cannot be the value of id')
    expect(sent).toEqual([])
  })

  it('asks for a specification', async () => {
    const ended = await runChat(flowWith({}), { models: scriptedModel(['x']) })
    expect(ended.error).toContain('choose a file for YAML file')
  })
})
