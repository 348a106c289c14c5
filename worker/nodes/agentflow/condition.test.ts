// @defends flow-author-regular
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createSandboxes } from '../../ports/sandbox/index.ts'
import { plainText } from '../../text/markdown-to-text.ts'
import { runStep } from '../testing/steps.ts'
import { condition } from './condition.ts'

const taken = async (...conditions: unknown[]) => (await runStep(condition, { conditions })).result.takenOutputs

describe('a single condition', () => {
  test.each([
    ['string', 'a', 'equal', 'a', true],
    ['string', 'a', 'equal', 'A', false],
    ['string', '**yes**', 'equal', 'yes', true],
    ['string', 'yes', 'equal', '`yes`', true],
    ['string', 'snake_case_name', 'equal', 'snake_case_name', true],
    ['string', 'a', 'notEqual', 'b', true],
    ['string', 'abc', 'contains', 'b', true],
    ['string', 'abc', 'contains', 'B', false],
    ['string', 'abc', 'notContains', 'x', true],
    ['string', 'abc', 'startsWith', 'ab', true],
    ['string', 'abc', 'endsWith', 'bc', true],
    ['string', '', 'isEmpty', undefined, true],
    ['string', 'x', 'isEmpty', undefined, false],
    ['string', 'x', 'notEmpty', undefined, true],
    ['string', null, 'notEmpty', undefined, false],
    [undefined, 'a', undefined, 'a', true],
    ['number', '3', 'equal', 3, true],
    ['number', 'nothing', 'equal', '0', true],
    ['number', '10', 'larger', '9', true],
    ['number', 2, 'smaller', '10', true],
    ['number', 2, 'smallerEqual', 2, true],
    ['number', 2, 'largerEqual', 3, false],
    ['number', 2, 'notEqual', 3, true],
    ['number', '', 'isEmpty', 0, true],
    ['number', 0, 'isEmpty', 0, false],
    ['number', undefined, 'notEmpty', 0, false],
    ['boolean', true, 'equal', 'true', true],
    ['boolean', false, 'equal', '', true],
    ['boolean', true, 'notEqual', false, true],
  ])('%s %j %s %j', async (type, value1, operation, value2, holds) => {
    expect(await taken({ type, value1, operation, value2 })).toEqual([holds ? 0 : 1])
  })
})

test('the first true condition wins, otherwise Else', async () => {
  const is = (value2: string) => ({ type: 'string', value1: 'b', operation: 'equal', value2 })
  expect(await taken(is('a'), is('b'), is('b'))).toEqual([1])
  expect(await taken(is('a'), is('c'))).toEqual([2])
  expect(await taken()).toEqual([0])
})

test('the trace shows which condition was true, Else included', async () => {
  const item = { type: 'string', value1: 'b', operation: 'equal', value2: 'b' }
  const { result } = await runStep(condition, { conditions: [item, item] })
  expect(result.output.conditions).toMatchObject([
    { isFulfilled: true },
    { isFulfilled: false },
    { isFulfilled: false },
  ])
  expect(result.output).not.toHaveProperty('content')
})

test('regular expressions run only in the sandbox', async () => {
  const asked: unknown[] = []
  const sandbox = {
    run: async (request: { globals: Record<string, unknown> }) => {
      asked.push(request.globals)
      return { value: true, logs: [] }
    },
  }
  const conditions = [{ type: 'string', value1: 'aaa!', operation: 'regex', value2: '(a+)+\\[x\\]$' }]
  const { result } = await runStep(condition, { conditions }, { sandbox })
  expect(result.takenOutputs).toEqual([0])
  expect(asked).toEqual([{ $source: '(a+)+[x]$', $text: 'aaa!' }])
})

describe('a regular expression in the sandbox', () => {
  const wasm = new URL('../../ports/sandbox/quickjs.wasm', import.meta.url)
  const sandbox = createSandboxes(() => WebAssembly.compile(readFileSync(wasm))).open({
    fetch: () => Promise.reject(new Error('no network in this test')),
  })
  const branch = async (value1: string, value2: string) =>
    (await runStep(condition, { conditions: [{ type: 'string', value1, operation: 'regex', value2 }] }, { sandbox }))
      .result.takenOutputs

  test.each([
    ['hello', '^h.llo$', 0],
    ['hi', '^h.llo$', 1],
    ['hello', '(', 1],
    ['hello', '[z-a]', 1],
    ['hello', '', 0],
  ])('%j by %j takes %i', async (text, expression, taken) => {
    expect(await branch(text, expression)).toEqual([taken])
  })

  test.each([
    ['^(a+)+$', `${'a'.repeat(40)}!`],
    ['(.*)*x', 'a'.repeat(5_000)],
    ['^(\\w+\\s?)*$', `${'word '.repeat(30)}!`],
    ['a*a*a*a*b', 'a'.repeat(100_000)],
  ])('%s is stopped before it blocks the worker', async (expression, text) => {
    await expect(branch(text, expression)).rejects.toThrow(`The expression ${expression} takes too long on this text.`)
  })
})

test('only the first 100,000 characters of a text are compared, or the last for Ends with', async () => {
  const long = `first${' '.repeat(200_000)}last`
  const is = (operation: string, value2: string) => ({ type: 'string', value1: long, operation, value2 })
  expect(await taken(is('contains', 'last'), is('endsWith', 'last'))).toEqual([1])
  expect(await taken(is('startsWith', 'first'))).toEqual([0])
})

test('an unknown operation fails the step', async () => {
  await expect(taken({ type: 'string', value1: 'a', operation: 'resembles', value2: 'b' })).rejects.toThrow(
    '"resembles"',
  )
})

test.each([
  ['# Title', 'Title'],
  ['- item', 'item'],
  ['> quote', 'quote'],
  ['a **b** _c_ *d* ~~e~~ `f`', 'a b c d e f'],
  ['[text](https://x.y "t") ![alt](z)', 'text alt'],
  ['```\ncode\n```', 'code'],
  ['a\\_b \\*c\\*', 'a_b *c*'],
  ['2 * 3 * 4', '2 * 3 * 4'],
  ['plain', 'plain'],
])('Markdown %j is compared as %j', (markdown, text) => {
  expect(plainText(markdown)).toBe(text)
})
