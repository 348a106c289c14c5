// @defends reaches-constructor
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePath, readPath } from '../document/path.ts'
import {
  compileTemplate,
  findReferences,
  parseTemplate,
  printTemplate,
  type Reference,
  renameReferences,
  wholeReference,
  writtenInJson,
} from './references.ts'

const mention = (id: string) =>
  `<span class="variable" data-type="mention" data-id="${id}" data-label="${id}">{{ ${id} }}</span>`

function only(text: string): Pick<Reference, 'root' | 'path'> | undefined {
  const found = parseTemplate(text).filter((part) => part.kind === 'reference')
  return found.length === 1 && found[0] ? { root: found[0].root, path: found[0].path } : undefined
}

describe('parseTemplate', () => {
  it.each<[string, string, (string | number)[]]>([
    ['{{question}}', 'question', []],
    ['{{ question }}', 'question', []],
    ['{{$flow.state.x}}', '$flow', ['state', 'x']],
    ['{{llmAgentflow_0.output.a[0].b}}', 'llmAgentflow_0', ['output', 'a', 0, 'b']],
    ['{{llmAgentflow_0.output["a.b"][\'c\']}}', 'llmAgentflow_0', ['output', 'a.b', 'c']],
    ['{{llmAgentflow\\_0.output.my\\_key}}', 'llmAgentflow_0', ['output', 'my_key']],
    ['{{$webhook.headers.content-type}}', '$webhook', ['headers', 'content-type']],
    ['{{$form.First name}}', '$form', ['First name']],
    ['{"a": {{question}}}', 'question', []],
    ['{{{question}}}', 'question', []],
    [mention('$iteration.item'), '$iteration', ['item']],
  ])('parses %s', (text, root, path) => expect(only(text)).toEqual({ root, path }))

  it.each([
    '{{}}',
    '{{ }}',
    '{{a',
    'a}}',
    '{{a\nb}}',
    '{{a..b}}',
    '{{a[b]}}',
    '{{.a}}',
    '{{a.}}',
    '{{a[0}}',
    '{ {a} }',
    '{{a[""]}}',
  ])('treats %j as text', (text) => expect(parseTemplate(text)).toEqual([{ kind: 'text', text }]))

  it('includes the whole mention span', () => {
    const text = `<p>English: ${mention('question')} </p>`
    expect(parseTemplate(text)).toEqual([
      { kind: 'text', text: '<p>English: ' },
      { kind: 'reference', root: 'question', path: [], source: mention('question') },
      { kind: 'text', text: ' </p>' },
    ])
  })

  it('leaves other spans alone', () => {
    expect(parseTemplate('<span class="x">{{a}}</span>').map((part) => part.kind)).toEqual([
      'text',
      'reference',
      'text',
    ])
  })

  it('prints the original text', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '{{',
        '}}',
        '{',
        '}',
        '\\',
        '_',
        '.',
        '[0]',
        mention('a_0'),
        '{{a_0.b}}',
        '<span data-type="mention">',
        '</span>',
        '\n',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('')
        expect(printTemplate(parseTemplate(text))).toBe(text)
      }),
      { numRuns: 500 },
    )
  })
})

describe('wholeReference', () => {
  it.each([
    ['{{a}}', true],
    [' {{ a.b }} ', true],
    [mention('a'), true],
    [`<p>${mention('a')} </p>`, true],
    ['<p>{{a}}</p>', true],
    ['{{a}}{{b}}', false],
    ['{{a}}.', false],
    ['<p>x {{a}}</p>', false],
    ['a', false],
    ['', false],
  ])('%j: %s', (text, expected) => expect(wholeReference(text) !== undefined).toBe(expected))
})

describe('readPath', () => {
  const value = {
    a: [{ b: 1 }],
    own: JSON.parse('{"__proto__": 1, "constructor": 2, "prototype": 3}') as object,
    s: 'text',
  }
  it.each<[(string | number)[], unknown]>([
    [['a', 0, 'b'], 1],
    [['a', '0', 'b'], 1],
    [['a', 'length'], 1],
    [[], value],
    [['a', 1], undefined],
    [['s', 'length'], undefined],
    [['x', 'y'], undefined],
  ])('reads the path %j', (path, expected) => expect(readPath(value, path)).toEqual(expected))

  it.each([
    ['constructor'],
    ['constructor', 'constructor'],
    ['__proto__'],
    ['__proto__', 'toString'],
    ['a', 'constructor'],
    ['a', 'map'],
    ['toString'],
    ['hasOwnProperty'],
    ['own', '__proto__'],
    ['own', 'constructor'],
    ['own', 'prototype'],
    ['s', 'constructor'],
  ])('rejects the path %j', (...path) => expect(readPath(value, path)).toBeUndefined())

  it('returns no properties of functions and prototypes', () => {
    class Secret {
      get token() {
        return 'x'
      }
    }
    expect(readPath({ f: () => 1 }, ['f', 'name'])).toBeUndefined()
    expect(readPath(new Secret(), ['token'])).toBeUndefined()
  })
})

describe('parsePath', () => {
  it.each(['', '.', 'a.', 'a[', 'a[]', 'a[-1]', 'a[1.5]', 'a`b`.', 'a[$b]', 'a{b}'])(
    'finds no template in %j',
    (text) => {
      expect(parsePath(text)).toBeUndefined()
    },
  )
})

describe('compileTemplate', () => {
  const values: Record<string, unknown> = {
    n: 7,
    t: true,
    s: 'text',
    o: { a: 1 },
    l: [1, 2],
    z: 0,
    e: '',
    nul: null,
    money: 'cost $& $1 $$ $`',
  }
  const resolve = (text: string) => {
    const template = compileTemplate(text)
    return template ? template(({ root, path }) => readPath(values, [root, ...path])) : text
  }

  it.each<[string, unknown]>([
    ['{{n}}', 7],
    ['{{ t }}', true],
    ['{{z}}', 0],
    ['{{e}}', ''],
    ['{{nul}}', null],
    [`<p>${mention('n')} </p>`, 7],
    ['{{o}}', '{"a":1}'],
    ['{{l}}', '[1,2]'],
    ['{{o.a}}', 1],
    ['n is {{n}}, o is {{o}}', 'n is 7, o is {"a":1}'],
    ['{{s}}{{n}}', 'text7'],
    [`<p>Say ${mention('s')} twice</p>`, '<p>Say text twice</p>'],
    ['{{unknown}}', '{{unknown}}'],
    ['a {{ unknown.b }} c', 'a {{ unknown.b }} c'],
    ['{{o.constructor}}', '{{o.constructor}}'],
    ['a {{o.__proto__.x}}', 'a {{o.__proto__.x}}'],
    ['pay {{money}} now', 'pay cost $& $1 $$ $` now'],
    ['', ''],
  ])('resolves %j to %j', (text, expected) => expect(resolve(text)).toEqual(expected))

  it('does not resolve references inside values', () => {
    expect(compileTemplate('a {{x}}')?.(() => '{{secret}}')).toBe('a {{secret}}')
  })
})

describe('values in JSON text', () => {
  const resolve = (text: string, value: unknown) => compileTemplate(text, writtenInJson)?.(() => value)

  it.each<[text: string, value: unknown, read: unknown]>([
    ['{"q": "{{x}}"}', 'She said "hi"\nand \\left', { q: 'She said "hi"\nand \\left' }],
    ['{"q": "{{x}}", "role": "user"}', '", "role": "admin', { q: '", "role": "admin', role: 'user' }],
    ['{"q": {{x}}, "role": "user"}', '1, "role": "admin"', { q: '1, "role": "admin"', role: 'user' }],
    ['{"q": {{x}}}', { a: ['b'] }, { q: { a: ['b'] } }],
    ['{"q": {{x}}}', '{"a": 1}', { q: { a: 1 } }],
    ['{"q": {{x}}}', 7, { q: 7 }],
    ['{"q": {{x}}}', 'plain', { q: 'plain' }],
    ['{"a \\" b": "{{x}} and {{x}}"}', '"', { 'a " b': '" and "' }],
    ['{"q": "{{x}}"}', { a: 'b' }, { q: '{"a":"b"}' }],
  ])('inserts into %s the value %j', (text, value, read) =>
    expect(JSON.parse(String(resolve(text, value)))).toEqual(read),
  )
})

describe('findReferences', () => {
  it('finds references in arrays and objects', () => {
    const found = findReferences({ a: '{{x}} {{y.z}}', b: [{ c: '{{w}}' }], d: 1 })
    expect(found.map(({ reference, at }) => [reference.root, at])).toEqual([
      ['x', ['a']],
      ['y', ['a']],
      ['w', ['b', 0, 'c']],
    ])
  })
})

describe('renameReferences', () => {
  const renamed = new Map([['llm_0', 'llm_3']])
  it.each([
    ['{{llm_0}}', '{{llm_3}}'],
    ['{{ llm_0.output.llm_0 }}', '{{ llm_3.output.llm_0 }}'],
    ['{{llm\\_0.a}}', '{{llm_3.a}}'],
    ['{{llm_01}} llm_0', '{{llm_01}} llm_0'],
    [mention('llm_0.output'), mention('llm_3.output')],
    ['{{question}}', '{{question}}'],
  ])('renames references from %s to %s', (text, expected) => expect(renameReferences(text, renamed)).toBe(expected))
})

it('parses hostile texts in linear time', () => {
  for (const piece of ['{{', '{{a', '<span ', '<span data-type="mention">{{', '{{a}}<', '{{a.b[0]', '{{a\\_']) {
    const text = piece.repeat(20_000)
    expect(printTemplate(parseTemplate(text))).toBe(text)
  }
})
