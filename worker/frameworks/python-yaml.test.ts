import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byDepth } from '#worker/local/testing/depth.ts'
import { YamlError } from '#worker/text/yaml.ts'
import { lineIndex, readPythonYaml, type YamlValue } from './python-yaml.ts'

function plain(value: YamlValue | undefined): unknown {
  if (value?.kind === 'list') return value.items.map(plain)
  if (value?.kind !== 'map') return value?.value
  return Object.fromEntries(value.pairs.map(({ key, value: inner }) => [String(key.value), plain(inner)]))
}

const read = (text: string) => plain(readPythonYaml(text).root)

const problemIn = (text: string) => {
  try {
    readPythonYaml(text)
    return undefined
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return `${error.message} (line ${lineIndex(text)(error.offset).line})`
  }
}

describe('readPythonYaml', () => {
  it.each([
    ['a: yes\nb: "yes"\nc: y', { a: true, b: 'yes', c: 'y' }],
    ['a: 012\nb: 12:30\nc: 1e3', { a: 10, b: 750, c: '1e3' }],
    ['a: ! "5"\nb: !!str 5\nc: !!int "5"', { a: 5, b: '5', c: 5 }],
    ['a: |\n  one\n  two\nb: >-\n  one\n  two', { a: 'one\ntwo\n', b: 'one two' }],
    ['a: {b, c: d}\n', { a: { b: null, c: 'd' } }],
    ['a: &x [1]\nb: *x', { a: [1], b: [1] }],
    ['a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}', { a: { b: 1, c: 2 }, d: { b: 1, c: 3 } }],
    ['x: &x {b: 1}\ny: &y {b: 2, c: 2}\nd: {<<: [*x, *y]}', { x: { b: 1 }, y: { b: 2, c: 2 }, d: { b: 1, c: 2 } }],
    ['x: &x {b: 1}\ny: &y {b: 2}\nd:\n  <<: *x\n  <<: *y', { x: { b: 1 }, y: { b: 2 }, d: { b: 2 } }],
    ['"<<": 1', { '<<': 1 }],
    ['%YAML 1.2\n---\na: yes', { a: true }],
    ['\ufeffa: 1', { a: 1 }],
    ['a: 1\r\nb: |\r\n  two\r\n', { a: 1, b: 'two\n' }],
    ['__proto__: 1\nconstructor: 2', { ['__proto__']: 1, constructor: 2 }],
  ])('reads %j as PyYAML does', (text, value) => {
    expect(read(text)).toEqual(value)
  })

  it.each(['', '# nothing', '---\n'])('finds no value in %j', (text) => {
    expect(readPythonYaml(text).root).toBeUndefined()
  })

  it('says where each value and key is', () => {
    const text = '\ufeffa: 1\nb:\n  - "two"\n  - {c: d}\n'
    const { root } = readPythonYaml(text)
    const spans: unknown[] = []
    const visit = (value: YamlValue) => {
      const { start, end, line, column } = value.span
      spans.push([text.slice(start, end), line, column])
      if (value.kind === 'list') value.items.forEach(visit)
      if (value.kind === 'map') for (const pair of value.pairs) [pair.key, pair.value].forEach(visit)
    }
    visit(root as YamlValue)
    expect(spans.slice(1)).toEqual([
      ['a', 1, 1],
      ['1', 1, 4],
      ['b', 2, 1],
      ['- "two"\n  - {c: d}\n', 3, 3],
      ['"two"', 3, 5],
      ['{c: d}', 4, 5],
      ['c', 4, 6],
      ['d', 4, 9],
    ])
  })

  it('takes the last of two keys and tells of the first', () => {
    const { root, dropped } = readPythonYaml('a: 1\nb: 2\na: 3\n1: x\ntrue: y')
    expect(plain(root)).toEqual({ a: 3, b: 2, true: 'y' })
    expect(dropped.map(({ pair, laterLine }) => [pair.key.value, pair.key.span.line, laterLine])).toEqual([
      ['a', 1, 3],
      [1, 4, 5],
    ])
  })

  it.each([
    ['a: *x', 'the alias *x stands for nothing (line 1)'],
    ['a: &x\n  - *x', 'the alias *x stands for something that contains it (line 2)'],
    ['a: &x 1\nb: &x 2', 'the anchor &x is there twice (line 2)'],
    ['a:\n  ? [b]\n  : c', 'a key must be a text, not a list or a map (line 2)'],
    [
      'a: !!python/name:os.system x',
      'it has a value of the type !!python/name:os.system, which designs do not use (line 1)',
    ],
    ['a: !!set {b}', 'it has a value of the type !!set, which designs do not use (line 1)'],
    ['a: {<<: 1}', '"<<" needs a map, or a list of maps (line 1)'],
    ['a: 1\nb: 2026-02-30', 'Python takes 2026-02-30 for a date, and there is no such date (line 2)'],
    ['a: 1\nb: "\\0"', 'it has a text with the character NUL (line 2)'],
    ['a: "\\ud800"', 'it has a text with half a character (line 1)'],
    ['a: 1\n# \u0007', 'it has the character U+0007, which YAML does not allow (line 2)'],
    ['a: "b\u2028c"', 'it has the character U+2028, which Python takes for the end of a line (line 1)'],
    ['a: 1\rb: 2', 'it has the character U+000D, which Python takes for the end of a line (line 1)'],
    ['a: b\tc', 'it has a tab in a text without quotes (line 1)'],
    ['a: 1\n---\nb: 2', 'it contains several documents (line 2)'],
  ])('refuses %j: %s', (text, problem) => {
    expect(problemIn(text)).toBe(problem)
  })

  it('refuses half a character', () => {
    expect(problemIn('a: \ud800')).toContain('U+D800')
  })
})

describe('a hostile text', () => {
  const laughs = (levels: number, name = (at: number) => `*a${at}`) =>
    [
      'a0: &a0 [x]',
      ...Array.from({ length: levels }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(name(at))}]`),
    ].join('\n')

  it.each([
    ['aliases of aliases', laughs(30)],
    [
      'a chain of aliases',
      `a0: &a0 [x]\n${Array.from({ length: 5000 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}]\n`).join('')}`,
    ],
    ['merged maps', `a: &a {${Array.from({ length: 2000 }, (_, at) => `k${at}: 1`)}}\n${'b: {<<: *a}\n'.repeat(2000)}`],
    ['many values', '- a\n'.repeat(30_000)],
  ])('is refused for %s', (_, text) => {
    expect(problemIn(text)).toContain('it has more than 20000 values, with those that aliases stand for')
  })

  it.each(['[', '{a: ', '- ', '? ', '[{a: '])('is refused for %j again and again', (opening) => {
    expect(problemIn(opening.repeat(100_000))).toContain('it is nested too deeply')
  })

  it('is refused for its length before it is read', () => {
    expect(problemIn('a'.repeat(4 * 1024 * 1024))).toContain('it has more than 1000000 characters')
  })
})

/** Pieces of YAML, which random texts would seldom hit. */
const PIECES = [
  'a',
  ': ',
  ':',
  '- ',
  '\n',
  '\n  ',
  '[',
  ']',
  '{',
  '}',
  ', ',
  '&x ',
  '*x',
  '<<',
  '!!int ',
  '! ',
  '"',
  "'",
  '|',
  '>',
  '# ',
  '1',
  '~',
  '\t',
  '? ',
  '---\n',
  '...\n',
  '%YAML',
  '2026-01-01',
  '\\u',
  '\0',
  '\ufeff',
  '\r',
]

it('throws nothing but its own error for any text', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      problemIn(text)
    }),
    { numRuns: byDepth(1000, 50_000) },
  )
})
