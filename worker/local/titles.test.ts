import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'
import { expect, it } from 'vitest'
import { root } from './paths.ts'

interface TestFile {
  path: string
  text: string
}

/** Returns the titles of a file's tests, each behind those of its groups: `a run > ends when it fails`. */
function titlesOf({ path, text }: TestFile): string[] {
  const groups: string[] = []
  const titles: string[] = []
  const isCall = (node: ESTree.CallExpression, name: RegExp) =>
    name.test(text.slice(node.callee.start, node.callee.end))
  new Visitor({
    CallExpression(node) {
      const title = textOf(node.arguments[0])
      if (title === undefined) return
      if (isCall(node, GROUP)) groups.push(title)
      else if (isCall(node, /^(it|test)\b/)) titles.push([...groups, title].join(' > '))
    },
    'CallExpression:exit'(node) {
      if (isCall(node, GROUP) && textOf(node.arguments[0]) !== undefined) groups.pop()
    },
  }).visit(parseSync(path, text).program)
  return titles
}

const GROUP = /^(test\.)?describe\b/

function textOf(node: ESTree.Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  return node?.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.cooked).join('…') : undefined
}

/** Begins like a sentence whose subject stands elsewhere. */
const FRAGMENT = /^(as|by|in|of|that|through|when|where|which|who|whose|with)\b/i
/** Only files with such a text as an argument are parsed. */
const MAY_HAVE_FRAGMENT = new RegExp(`\\(\\s*['"\`]${FRAGMENT.source.slice(1)}`, 'i')

it('every title of a test is a sentence that stands alone', () => {
  const paths = globSync('{web,worker,db,e2e}/**/*.{test,worker-test,spec}.{ts,tsx}', { cwd: root })
  const tests = paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const suspects = tests.filter(({ text }) => MAY_HAVE_FRAGMENT.test(text))
  const found = suspects.flatMap((file) => titlesOf(file).map((title) => ({ path: file.path, title })))
  expect(found.filter(({ title }) => FRAGMENT.test(title))).toEqual([])
})

it.each([
  ["it('ends', () => {})", ['ends']],
  ["describe('a run', () => { it.each([1])('ends %s', () => {}) })", ['a run > ends %s']],
  ["test.describe('a visitor', () => { test(`sees it`, () => {}) })", ['a visitor > sees it']],
  ["expect(answer('with a name')).toBe(1)", []],
])('finds the titles of %s', (text, titles) => {
  expect(titlesOf({ path: 'a.test.ts', text })).toEqual(titles)
})

it.each([
  ['with a token > runs', true],
  ['a run > with a token runs', false],
  ['without embeddings no vector store is kept', false],
])('refuses the title %s: %s', (title, isRefused) => {
  expect(FRAGMENT.test(title)).toBe(isRefused)
})
