import { describe, expect, it } from 'vitest'
import { scriptedModel, toldTo } from '../../testing/steps.ts'
import { drawChat, outputOf, runChat } from '../testing/chat.ts'
import { readZodText } from './zod-text.ts'

const parsedBy = (parser: string, inputs: Record<string, unknown>) =>
  drawChat(
    {
      scripted_0: {},
      promptTemplate_0: { inputs: { template: 'List {topic}' } },
      [`${parser}_0`]: { inputs },
      llmChain_0: {},
    },
    ['scripted_0 > llmChain_0.model', 'promptTemplate_0 > llmChain_0.prompt', `${parser}_0 > llmChain_0.outputParser`],
  )

describe('parsed answers', () => {
  it('are lists, told to the model and sent as one token', async () => {
    const model = scriptedModel(['a, b ', ', c'])
    const ended = await runChat(parsedBy('csvOutputParser', {}), { models: model })
    expect(outputOf(ended)).toMatchObject({ json: ['a', 'b', 'c'] })
    expect(ended.tokens).toBe(ended.text)
    expect(JSON.parse(ended.text.replaceAll(/```(json)?/g, ''))).toEqual(['a', 'b', 'c'])
    expect(toldTo(model)[0]).toContain('separated by commas')
  })

  it('go back once with what is wrong where Autofix is on, and fail otherwise', async () => {
    const inputs = { length: '2', separator: ';' }
    const model = scriptedModel(['a; b; c'], ['a; b'])
    const fixed = await runChat(parsedBy('customListOutputParser', { ...inputs, autofixParser: true }), {
      models: model,
    })
    expect(outputOf(fixed)).toMatchObject({ json: ['a', 'b'], usageMetadata: { total_tokens: 24 } })
    expect(toldTo(model, 1).at(-1)).toContain('3 values instead of 2')
    const failed = await runChat(parsedBy('customListOutputParser', inputs), { models: scriptedModel(['a']) })
    expect(failed.error).toContain('1 values instead of 2')
  })

  it.each([
    ['structuredOutputParser', { jsonStructure: [{ property: 'n', type: 'number', description: 'Count' }] }],
    ['structuredOutputParser', { jsonStructure: '[{"property":"n","type":"number","description":""}]' }],
    ['advancedStructuredOutputParser', { exampleJson: 'z.object({ n: z.number() })' }],
  ])('%s asks for an object by its schema', async (parser, inputs) => {
    const model = scriptedModel(['{"n":1}'])
    expect(outputOf(await runChat(parsedBy(parser, inputs), { models: model }))).toMatchObject({ json: { n: 1 } })
    expect(model.calls[0]?.responseFormat).toMatchObject({ type: 'json', schema: { required: ['n'] } })
    const wrong = await runChat(parsedBy(parser, inputs), { models: scriptedModel(['{"n":"x"}']) })
    expect(wrong.error).toContain('does not match the format')
  })
})

describe('the text of a zod schema', () => {
  it.each([
    ['z.string().min(2).describe("A \\"name\\"")', { type: 'string', description: 'A "name"' }],
    ['z.enum([\'a\', "b",])', { type: 'string', enum: ['a', 'b'] }],
    ['z.array(z.number().int()).max(3)', { type: 'array', items: { type: 'integer' } }],
    ['z.string().array()', { type: 'array', items: { type: 'string' } }],
    ['z.union([z.literal(1), z.boolean()]);', { anyOf: [{ const: 1 }, { type: 'boolean' }] }],
    ['z.record(z.string(), z.any())', { type: 'object', additionalProperties: {} }],
    [
      'z.object({ a: z.string(), // first\n "b-c": z.date().optional(), d: z.number().default(1) })',
      {
        type: 'object',
        properties: { a: { type: 'string' }, 'b-c': { type: 'string', format: 'date-time' }, d: { type: 'number' } },
        required: ['a'],
        additionalProperties: false,
      },
    ],
  ])('%s', (text, schema) => expect(readZodText(text)).toEqual(schema))

  it.each([
    ['process.exit()', /cannot be read at "process"/],
    ['z.object({ a: z.string()', /not complete/],
    ['z.preprocess(1, z.string())', /z\.preprocess/],
    ['z.constructor()', /z\.constructor/],
    ['z.string() + 1', /cannot be read/],
    ['z.array('.repeat(60), /nested too deeply/],
  ])('refuses %s', (text, message) => expect(() => readZodText(text)).toThrow(message))
})
