import { describe, expect, it } from 'vitest'
import { argumentsSchema, exampleArguments, parseParameters, type ToolParameter } from './parameters.ts'
import { createToolSchema } from './schemas.ts'
import { readToolFile, toolFile } from './tool-file.ts'

const parameter = (property: string, more: Partial<ToolParameter> = {}): ToolParameter => ({
  property,
  description: '',
  type: 'string',
  required: false,
  ...more,
})

/** As Flowise exports a tool. */
const FLOWISE = {
  name: 'get_current_weather',
  description: 'Get the current weather',
  color: 'linear-gradient(rgb(132,113,194), rgb(43,12,4))',
  iconSrc: 'https://example.com/icon.svg',
  schema:
    '[{"id":0,"property":"location","description":"The city","type":"string","required":true},{"id":1,"property":"when","description":"","type":"date","required":false}]',
  func: 'return "Sunny in " + $location',
}

describe('the parameters of a tool', () => {
  it('become a JSON Schema in which dates are texts', () => {
    expect(argumentsSchema(parseParameters(FLOWISE.schema))).toEqual({
      type: 'object',
      properties: {
        location: { type: 'string', description: 'The city' },
        when: { type: 'string', description: 'A date in ISO 8601 format' },
      },
      required: ['location'],
    })
  })

  it('are none when the text is empty, no JSON or no list', () => {
    for (const text of [null, undefined, '', '{', '{}', '[1, null, {}]']) expect(parseParameters(text)).toEqual([])
  })

  it('give example arguments with at most four fields, the required ones first', () => {
    const parameters = ['a', 'b', 'c', 'd'].map((name) => parameter(name, { type: 'number' }))
    const last = parameter('needed', { required: true, type: 'boolean' })
    expect(exampleArguments([...parameters, last])).toEqual({ needed: true, a: 1, b: 1, c: 1 })
  })
})

describe('a tool file', () => {
  it('is read as Flowise writes it, and written as it was', () => {
    const read = readToolFile(JSON.stringify({ ...FLOWISE, id: 'x', createdDate: 'y' }))
    expect(read).toEqual(FLOWISE)
    expect(toolFile(read)).toEqual(FLOWISE)
    expect(createToolSchema.parse(read)).toEqual(FLOWISE)
  })

  it.each([
    ['not json', 'Invalid Imported File: it is not a JSON object'],
    ['[]', 'Invalid Imported File: it is not a JSON object'],
    ['{"nodes":[],"edges":[]}', 'it has no "name"'],
    ['{"name":"x"}', 'it has no "func"'],
    ['{"name":"x","func":"","schema":"{}"}', '"schema" must be'],
    ['{"name":"x","func":"","schema":[]}', '"schema" must be'],
    ['{"name":"x","func":"","schema":"[{\\"property\\":\\"a b\\"}]"}', '"a b" can’t be the name'],
  ])('is refused when it is %s', (text, message) => {
    expect(() => readToolFile(text)).toThrow(message)
  })
})

describe('the payload of a tool', () => {
  const valid = { name: 'x', description: 'y' }
  const schemaOf = (...list: unknown[]) => JSON.stringify(list)

  it.each([
    [{ schema: '{' }, 'It must be a list'],
    [{ schema: schemaOf({ property: '1a', type: 'string' }) }, 'Parameter names may contain'],
    [{ schema: schemaOf({ property: '../etc', type: 'string' }) }, 'Parameter names may contain'],
    [{ schema: schemaOf({ property: 'a', type: 'z.string()' }) }, 'The type must be'],
    [{ schema: schemaOf({ property: 'a', type: 'string' }, { property: 'a', type: 'number' }) }, 'the same name'],
    [
      { schema: schemaOf(...Array.from({ length: 51 }, (_, i) => ({ property: `a${i}`, type: 'string' }))) },
      'at most 50',
    ],
    [{ name: ' ' }, 'Name is required'],
    [{ name: 'x'.repeat(10_000_000) }, 'expected string to have <=200 characters'],
    [{ func: 'x'.repeat(10_000_000) }, 'expected string to have <=200000 characters'],
    [{ description: '' }, 'Describe the tool'],
  ])('is refused with a reason: %#', (change, message) => {
    const { error } = createToolSchema.safeParse({ ...valid, ...change })
    expect(error?.issues[0]?.message).toContain(message)
  })

  it.each(['../../etc/passwd', 'أداة الطقس', '🌦️ weather', '<script>alert(1)</script>'])('takes the name %s', (name) => {
    expect(createToolSchema.parse({ ...valid, name }).name).toBe(name)
  })
})
