// @defends tool-schema-expands
import type { JSONSchema7 } from '@ai-sdk/provider'
import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildPrompt, type ModelMessage } from '../messages.ts'
import { readParts } from '../testing/read-parts.ts'
import { chooseTool } from './choose-tool.ts'
import { fitSchema, type JsonSchema } from './fit-schema.ts'
import { createPracticeModel } from './model.ts'
import type { CallOptions, FunctionTool } from './types.ts'

const model = createPracticeModel()

const user = (content: string): ModelMessage => ({ role: 'user', content })

async function ask(messages: ModelMessage[], options: Omit<CallOptions, 'prompt'> = {}) {
  const { content, usage } = await model.doGenerate({ prompt: buildPrompt(messages), ...options })
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  return { text, usage, calls: content.filter((part) => part.type === 'tool-call') }
}

describe('the reply of the practice model', () => {
  it('says that it cannot answer, quotes the question and tells what can', async () => {
    const { text } = await ask([{ role: 'system', content: 'Be kind.' }, user('How are you?')])
    expect(text).toContain('practice model')
    expect(text).toContain('I can’t answer “How are you?”.')
    expect(text).toContain('choose another model')
    expect(text).toContain('Be kind.')
  })

  it('names the node whose model to choose, where there is one', async () => {
    const { content } = await createPracticeModel('Agent 0').doGenerate({ prompt: buildPrompt([user('Hi')]) })
    expect(JSON.stringify(content)).toContain('For real answers, choose another model in Agent 0.')
    expect((await ask([user('Hi')])).text).toContain('For real answers, choose another model.')
  })

  it('is the same for the same prompt, streamed or not', async () => {
    const messages = [user('Tell me something')]
    const { text, usage } = await ask(messages)
    const { stream } = await model.doStream({ prompt: buildPrompt(messages) })
    const parts = await readParts(stream)
    const words = parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []))
    expect(words.join('')).toBe(text)
    expect(words.length).toBeGreaterThan(10)
    expect(parts.at(-1)).toMatchObject({ type: 'finish', usage })
    expect(usage.inputTokens.total).toBeGreaterThan(0)
    expect(usage.outputTokens.total).toBe(Math.ceil(text.length / 4))
  })

  it('stops when the signal aborts', async () => {
    const gone = new AbortController()
    const { stream } = await model.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      abortSignal: gone.signal,
    })
    const reader = stream.getReader()
    await reader.read()
    gone.abort(new Error('person left'))
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow('person left')
  })
})

describe('tool calls of the practice model', () => {
  const offered = (name: string, properties: JsonSchema, description = name): FunctionTool => ({
    type: 'function',
    name,
    description,
    inputSchema: { type: 'object', properties, required: Object.keys(properties) } as FunctionTool['inputSchema'],
  })
  const calculator = offered('calculator', { input: { type: 'string' } })
  const clock = offered('current_date_time', {})
  const web = offered('requests_get', { url: { type: 'string' } }, 'Reads data from a web address')
  const weather = offered('get_weather', { city: { type: 'string' } })

  it.each([
    ['What is 6 * (7 + 2)?', 'calculator', { input: '6 * (7 + 2)' }],
    ['3 x 4, please', 'calculator', { input: '3 * 4' }],
    ['Compute 2^10.', 'calculator', { input: '2^10' }],
    ['What day is it today?', 'current_date_time', {}],
    ['Please read https://example.com/a?b=1 for me', 'requests_get', { url: 'https://example.com/a?b=1' }],
    ['get weather of Oslo', 'get_weather', { city: 'get weather of Oslo' }],
    ['Hello there', undefined, undefined],
    ['I am 40 years old', undefined, undefined],
  ])('for the question "%s" use the tool %s', (question, name, args) => {
    expect(chooseTool([calculator, clock, web, weather], question)).toEqual(name && { toolName: name, args })
  })

  it('happen once, then the answer uses the result', async () => {
    const messages = [user('What is 2 + 3?')]
    const { calls } = await ask(messages, { tools: [calculator] })
    expect(calls).toMatchObject([{ toolName: 'calculator', input: '{"input":"2 + 3"}' }])
    const call = { toolCallId: 'call_1', toolName: 'calculator' }
    const then = await ask(
      [
        ...messages,
        { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { input: '2 + 3' } }] },
        { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: '5' } }] },
      ],
      { tools: [calculator] },
    )
    expect(then.calls).toEqual([])
    expect(then.text).toContain('calculator answered: 5')
  })

  it('happen when tool choice requires them', async () => {
    const tools = [offered('note', { a: { type: 'integer' } }, 'Notes')]
    for (const toolChoice of [{ type: 'required' }, { type: 'tool', toolName: 'note' }] as const) {
      const { calls } = await ask([user('Hello')], { tools, toolChoice })
      expect(calls).toMatchObject([{ toolName: 'note', input: '{"a":1}' }])
    }
    expect((await ask([user('note this')], { tools, toolChoice: { type: 'none' } })).calls).toEqual([])
  })

  it('are explained when nothing in the message fits a tool', async () => {
    const { text, calls } = await ask([user('Hello')], { tools: [calculator, clock] })
    expect(calls).toEqual([])
    expect(text).toContain('Your message doesn’t call for calculator or current_date_time')
  })
})

describe('structured output of the practice model', () => {
  it('matches the requested schema', async () => {
    const schema = {
      type: 'object',
      properties: {
        colour: { type: 'string', enum: ['red', 'blue'] },
        price: { type: 'integer', minimum: 1, maximum: 20 },
        tags: { type: 'array', items: { type: 'string' }, minItems: 3 },
        isNew: { type: 'boolean' },
        owner: { type: 'object', properties: { email: { type: 'string', format: 'email' } }, required: ['email'] },
      },
      required: ['colour', 'price', 'tags', 'isNew', 'owner'],
    } as const
    const { text } = await ask([user('The blue car costs 25 euro and is not old')], {
      responseFormat: { type: 'json', schema: schema as unknown as JSONSchema7 },
    })
    expect(JSON.parse(text)).toEqual({
      colour: 'blue',
      price: 20,
      tags: ['The', 'blue', 'car'],
      isNew: false,
      owner: { email: 'person@example.com' },
    })
  })

  it.each<[string, JsonSchema]>([
    [
      'a reference',
      { $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: { b: { type: 'number' } }, required: ['b'] } } },
    ],
    [
      'a schema that holds itself',
      { type: 'object', properties: { name: { type: 'string' }, child: { $ref: '#' } }, required: ['name'] },
    ],
    ['a choice', { anyOf: [{ type: 'null' }, { type: 'array', items: { type: 'integer' }, minItems: 1 }] }],
    [
      'parts',
      {
        allOf: [
          { type: 'object', properties: { a: { const: 1 } }, required: ['a'] },
          { properties: { b: { type: 'boolean' } }, required: ['b'] },
        ],
      },
    ],
    ['nullable text', { type: ['string', 'null'], minLength: 5, maxLength: 6 }],
    ['bounds that are not reached', { type: 'integer', exclusiveMinimum: 3, maximum: 4 }],
    ['steps', { type: 'number', multipleOf: 5, minimum: 11 }],
  ])('matches %s', (_name, schema) => {
    expect(problems(schema, fitSchema(schema, 'a text'))).toEqual([])
  })

  const self = { $ref: '#' }
  const twice = (next: string) => ({ properties: { a: { $ref: next }, b: { $ref: next } }, required: ['a', 'b'] })
  const names = Array.from({ length: 40 }, (_, at) => `d${at}`)
  const doubling = Object.fromEntries(names.map((name, at) => [name, twice(`#/$defs/d${at + 1}`)]))
  it.each<[string, JsonSchema]>([
    ['needs itself', { properties: { a: self }, required: ['a'] }],
    ['is one of itself', { anyOf: [self] }],
    ['needs two that need two', { $ref: '#/$defs/d0', $defs: doubling }],
    ['wants a long list of long lists', { minItems: 1e9, maxItems: 1e9, items: { minItems: 1e9, maxItems: 1e9 } }],
    ['wants a long text', { type: 'string', minLength: 4e8, maxLength: 4e8 }],
  ])('stays bounded for a schema that %s', (_name, schema) => {
    expect(JSON.stringify(fitSchema(schema, 'a text')).length).toBeLessThan(2_000_000)
  })

  it('matches every common schema for any text, deterministically', () => {
    fc.assert(
      fc.property(schemas, fc.string(), (schema, text) => {
        const made = fitSchema(schema, text)
        expect(problems(schema, made)).toEqual([])
        expect(fitSchema(schema, text)).toEqual(made)
      }),
      { numRuns: 300 },
    )
  })
})

function problems(schema: JsonSchema, value: unknown): string[] {
  return new Validator(schema, '2020-12').validate(value).errors.map(({ error }) => error)
}

const bounds = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.nat(50))
const leaf: fc.Arbitrary<JsonSchema> = fc.oneof(
  fc.record({ type: fc.constant('string') }),
  bounds.map(([, length]) => ({ type: 'string', minLength: length, maxLength: length + 3 })),
  fc.uniqueArray(fc.string(), { minLength: 1 }).map((values) => ({ type: 'string', enum: values })),
  bounds.map(([minimum, size]) => ({ type: 'integer', minimum, maximum: minimum + size })),
  bounds.map(([minimum, size]) => ({ type: 'number', minimum, maximum: minimum + size })),
  fc.constant({ type: 'boolean' }),
  fc.constant({ type: 'null' }),
)
const schemas = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.tuple(tie('schema'), fc.nat(3)).map(([items, minItems]) => ({ type: 'array', items, minItems })),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie('schema'), { maxKeys: 4 }).map((properties) => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    })),
  ),
})).schema
