import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractInput, extractTexts, restoreTexts } from './run-texts.ts'

const MIN_LENGTH = 1024

const long = 'x'.repeat(MIN_LENGTH)

/** What is stored, as the database returns it. */
const stored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))

function roundTrip(value: unknown): unknown {
  const { rest, refs, added } = extractTexts(value)
  return restoreTexts(stored(rest), stored(refs), new Map(stored([...added])))
}

describe('the input of a run', () => {
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`field ${n}`, `value ${n}`]))

  it.each<[string, object, string[]]>([
    ['a form of many short values', { form: many, question: '' }, ['/form']],
    ['the body of a webhook call', { webhook: { body: [many], headers: { a: 'b' }, query: {} } }, ['/webhook/body']],
    ['a text as that body', { webhook: { body: long.repeat(20), headers: {}, query: {} } }, ['/webhook/body']],
    ['a history, of which long texts are kept', { history: [long, many] }, ['/history/0', '/history']],
    ['a form in a call with a long question', { question: long, form: many }, ['/question', '/form']],
  ])('leaves out %s, and comes back', (_, input, places) => {
    const { rest, refs, added } = extractInput(input)
    expect(JSON.stringify(rest).length).toBeLessThan(500)
    expect(Object.keys(refs ?? {})).toEqual(places)
    expect(restoreTexts(stored(rest), stored(refs), new Map(stored([...added])))).toEqual(input)
  })

  it('stays as it is while it is short', () => {
    const input = { question: 'q', form: { a: 'b' }, webhook: { body: 'c' }, past: { sessionId: long.repeat(20) } }
    expect(extractInput(input)).toMatchObject({ rest: input, refs: null })
  })
})

describe('long texts', () => {
  it.each<[string, unknown, string[]]>([
    ['a text of its own', long, ['']],
    ['in an object', { a: long, b: 'short' }, ['/a']],
    ['in lists', { list: [[long], 'short', { a: long }] }, ['/list/0/0', '/list/2/a']],
    ['under keys with dots, slashes and tildes', { 'a.b/c~d~1': { '': long } }, ['/a.b~1c~0d~01/']],
    ['under keys that look like places', { '$.a': long, '/b': long, '0': long }, ['/0', '/$.a', '/~1b']],
    ['under a key of prototypes', JSON.parse(`{"__proto__":{"constructor":"${long}"}}`), ['/__proto__/constructor']],
    ['of lone surrogates', [`\ud800${long}`, `\udfff${long}`, `\ufffd${long}`], ['/0', '/1', '/2']],
    ['with NUL and line separators', [`\0${long}\u2028"\\`], ['/0']],
  ])('%s leave an empty string, and come back', (_, value, places) => {
    const { rest, refs } = extractTexts(value)
    expect(JSON.stringify(rest)).not.toContain(long)
    expect(Object.keys(refs ?? {})).toEqual(places)
    expect(roundTrip(value)).toEqual(stored(value))
    expect(JSON.stringify(roundTrip(value))).toBe(JSON.stringify(value))
  })

  it.each<[string, unknown]>([
    ['texts that are short, empty or look like a reference', { a: '', b: long.slice(1), c: '/a', d: { $ref: '/a' } }],
    ['what is no text', [null, true, 1.5, {}, []]],
    ['questions for people, their answers, forms and webhook calls', whole()],
    ['places with very long names', { ['k'.repeat(300)]: long }],
  ])('%s stay where they are', (_, value) => {
    const { rest, refs, added } = extractTexts(value)
    expect(rest).toBe(value)
    expect([refs, added.size]).toEqual([null, 0])
  })

  function whole() {
    const data = { output: { humanInputAction: { mapping: long } }, answer: { feedback: long } }
    return { data, form: { a: long }, webhook: { body: long }, past: { sessionId: long } }
  }

  it('are returned once, also for several values', () => {
    const known = new Map()
    const first = extractTexts({ a: long, b: [long] }, known)
    const second = extractTexts({ c: long, d: `${long}y` }, known)
    expect(first.added.size).toBe(1)
    expect([...second.added.values()]).toEqual([JSON.stringify(`${long}y`)])
    expect(second.refs?.['/c']).toBe(first.refs?.['/a'])
  })

  it('do not come to places that no reference names', () => {
    const { added } = extractTexts({ a: long })
    const row = { a: '', b: [...added.keys()], c: { '/a': '' } }
    expect(restoreTexts(row, null, added)).toBe(row)
    expect(restoreTexts(row, { '/b': [...added.keys()][0] as string, '/x/y': 'unknown', '/a': 'unknown' }, added)).toBe(
      row,
    )
  })

  it('come back to where they were in any JSON', () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom('', '__proto__', 'constructor', '/', '~', '~1', '.', '0', 'data', 'answer', 'form'),
    )
    const text = fc
      .tuple(word, fc.constantFrom('', '\ud83d', '\0'), fc.constantFrom(0, 1, MIN_LENGTH, MIN_LENGTH))
      .map(([begin, odd, length]) => `${begin}${odd}${'x'.repeat(length)}`)
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        text,
        fc.constantFrom(null, true, 0, -1.5),
        fc.array(tie('json'), { maxLength: 4 }),
        fc.dictionary(word, tie('json'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.stringify(roundTrip(value))).toBe(JSON.stringify(value))
      }),
      { numRuns: 500 },
    )
  })
})
