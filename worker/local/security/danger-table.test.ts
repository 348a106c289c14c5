import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fillTests, page, readDangers, readTags } from './danger-table.ts'

/** The list only grows: a danger does not go away when its defence is rewritten. */
const AT_LEAST = 120

const text = readFileSync(page, 'utf8')
const tags = readTags()
const dangers = readDangers(text)

it('the table of dangers names every test that is tagged with one', () => {
  expect(fillTests(text, tags), 'Run npm run docs:security').toBe(text)
})

it('each danger has a tagged test, and each tag names a danger of the table', () => {
  expect(dangers.filter((danger) => !tags.has(danger))).toEqual([])
  expect([...tags.keys()].filter((danger) => !dangers.includes(danger))).toEqual([])
})

it('no danger is lost or listed twice', () => {
  expect(new Set(dangers).size).toBe(dangers.length)
  expect(dangers.length).toBeGreaterThanOrEqual(AT_LEAST)
})

it('a tag fills the last column of its danger alone', () => {
  const sample =
    '\n## Proof\n\n| Danger | Attack | Stopped by | Tests |\n|---|---|---|---|\n| a | One | x | |\n| b | Two | y | `old` |'
  const filled = fillTests(sample, new Map([['a', ['db/a.test.ts', 'web/b.test.ts']]]))
  expect(filled.split('\n').slice(-2)).toEqual([
    '| a | One | x | `db/a.test.ts`, `web/b.test.ts` |',
    '| b | Two | y |  |',
  ])
})
