/** Values drawn from a JSON Schema, now and then with something in them that it does not expect. */
import * as fc from 'fast-check'
import type { JsonSchema } from '#contract/openapi.ts'
import { SEED_ID } from '../../../http/testing/seed.ts'

export type Components = Record<string, JsonSchema>

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '😀'.repeat(300),
  '\u202e\u2028\ufeff',
  'x'.repeat(20_000),
  '{{ $vars.x }}{{constructor.constructor}}',
  "' OR 1=1 --",
  '%',
  '_%\\',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '<script>alert(1)</script>',
  '1e400',
  '-0',
  '9'.repeat(400),
  '[[[[',
  '{"a":',
  'http://127.0.0.1:1/',
  'data:text/html,x',
  'true',
  'null',
  '2026-02-31T99:00:00Z',
  '0000-00-00',
]

export const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed()),
  fc.uuid(),
)

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      null,
      0,
      -1,
      1e308,
      2 ** 53,
      0.1,
      true,
      false,
      [],
      {},
      [[]],
      nested(30),
      nested(300),
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** Texts that open doors: what is there, what is named in flows, what other schemas take. */
const TEXTS = [
  SEED_ID,
  'startAgentflow',
  'chatflows:view',
  'Variable',
  'INTERNAL',
  'openAIApi',
  '{"nodes":[],"edges":[]}',
  '{}',
]

export function drawn(schema: JsonSchema, components: Components, depth = 0): fc.Arbitrary<unknown> {
  const expected = expectedOf(schema, components, depth)
  return fc.oneof({ weight: 14, arbitrary: expected }, { weight: 1, arbitrary: hostileValue })
}

function expectedOf(schema: JsonSchema, components: Components, depth: number): fc.Arbitrary<unknown> {
  const of = (part: unknown) => drawn(part as JsonSchema, components, depth + 1)
  if (schema.$ref) return of(components[schema.$ref.replace('#/components/schemas/', '')] ?? {})
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  if (choices.length > 0) return fc.oneof(...choices.map(of))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const [type, ...more] = [schema.type].flat()
  if (more.length > 0) return fc.oneof(...[type, ...more].map((each) => of({ ...schema, type: each })))
  switch (type) {
    case 'object':
      return depth > 6 ? fc.constant({}) : objectOf(schema, of)
    case 'array':
      return depth > 6 ? fc.constant([]) : fc.array(of(schema.items ?? {}), { maxLength: 4 })
    case 'string':
      return textArbitrary(schema)
    case 'integer':
    case 'number':
      return numberArbitrary(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.oneof(fc.constant({}), fc.constant('text'), fc.jsonValue({ maxDepth: 2 }))
  }
}

function objectOf(schema: JsonSchema, of: (part: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {})
  const values = Object.fromEntries(properties.map(([name, part]) => [name, of(part)]))
  // Of what is optional about a half is there; what is required is missing now and then.
  const whole = fc.record(values, { requiredKeys: schema.required?.filter((name) => name in values) ?? [] })
  const torn = fc.record(values, { requiredKeys: [] })
  const object = fc.oneof({ weight: 12, arbitrary: whole }, { weight: 1, arbitrary: torn })
  if (!schema.additionalProperties) return object
  const others = fc.dictionary(
    fc.oneof(fc.constantFrom('a', 'node_0', SEED_ID), hostileText),
    of(schema.additionalProperties),
    {
      maxKeys: 3,
    },
  )
  return fc.tuple(object, others).map(([known, more]) => ({ ...more, ...(known as object) }))
}

function textArbitrary({ format, minLength = 0, maxLength }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') return fc.constantFrom('2026-01-01T00:00:00.000Z', '1970-01-01T00:00:00Z')
  if (format === 'uuid') return fc.oneof(fc.constant(SEED_ID), fc.uuid())
  if (format === 'email') return fc.constantFrom('ann@example.com', 'person1@example.com')
  if (format === 'uri') return fc.constantFrom('https://example.com/', 'http://127.0.0.1:1/x')
  const longest = Math.min(maxLength ?? 200, 300)
  return fc.oneof(
    fc.constantFrom(...TEXTS),
    fc.string({ minLength: Math.min(minLength, longest), maxLength: Math.max(minLength, Math.min(longest, 20)) }),
    fc.string({ minLength: longest, maxLength: longest + 1 }),
  )
}

function numberArbitrary({ type, minimum, exclusiveMinimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  const min = Math.max(minimum ?? -10, Number(exclusiveMinimum ?? -11) + 1)
  const max = Math.max(min, Math.min(maximum ?? 1000, 1000))
  return type === 'integer' ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true })
}
