import { describe, expect, it } from 'vitest'
import { MAX_YAML_CHARS, parseYaml, parseYamlDocument, YamlError } from './yaml.ts'

const problemIn = (text: string, options = {}) => {
  try {
    parseYamlDocument(text, options)
    return undefined
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return [error.message, text.slice(error.offset, error.offset + 3)]
  }
}

describe('parseYaml', () => {
  it('returns the value of a document', () => {
    expect(parseYaml('a: [1, yes]\nb: {c: null}')).toEqual({ a: [1, 'yes'], b: { c: null } })
  })

  it('takes the last of two keys', () => {
    expect(parseYaml('a: 1\na: 2')).toEqual({ a: 2 })
  })

  it('returns nothing for an empty text', () => {
    expect(parseYaml('')).toBeNull()
  })

  it('refuses a long text before it reads it', () => {
    expect(() => parseYaml('a'.repeat(MAX_YAML_CHARS + 1))).toThrow('at most 1000000 characters')
  })

  it('refuses aliases that stand for too much', () => {
    const levels = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`)
    expect(() => parseYaml(['a0: &a0 [x]', ...levels].join('\n'))).toThrow('alias')
  })
})

describe('parseYamlDocument', () => {
  it.each([
    ['a: [1, 2\nb: 3', 'Flow sequence in block collection must be sufficiently indented and end with a ]', 'b: '],
    ['a:\n  - b\n  c: d', 'All mapping items must start at the same column', '  c'],
    ['a: "b', 'Missing closing "quote', ''],
    ['a: {b: {c: [1, }}}', 'Flow sequence in block collection must be sufficiently indented and end with a ]', '}}}'],
    ['a: 1\n---\nb: 2', 'it contains several documents', '---'],
  ])('finds the first problem of %j where it is', (text, message, at) => {
    expect(problemIn(text)).toEqual([message, at])
  })

  it('refuses what is nested too deeply, where it is', () => {
    expect(problemIn(`a: ${'['.repeat(400)}`)).toEqual(['it is nested too deeply', '[[['])
  })

  it.each(['a:\tb', 'a: b\t', 'a: b\t# c', '\t- a', 'a:\n\t\n  b: c'])('refuses the tab in %j for Python', (text) => {
    expect(problemIn(text, { refusesTabs: true })?.[0]).toBe('it has a tab between values')
  })

  it.each(['a: "b\tc"', 'a: |\n  b\tc\n  \td', "a: 'b\t'", '# a\tb'])('takes the tab in the text %j', (text) => {
    expect(problemIn(text, { refusesTabs: true })).toBeUndefined()
  })
})
