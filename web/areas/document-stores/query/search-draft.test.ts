import { expect, it } from 'vitest'
import type { SearchConfig } from '#contract/document-stores/search.ts'
import { checkSearch, defaultMode, formatScore, modesOf, toConfig, toDraft } from './search-draft.ts'

const full: SearchConfig = {
  topK: 8,
  threshold: 0,
  mmrLambda: 0.5,
  neighbours: 'section',
  filter: { lang: 'en' },
  reranker: { name: 'cohereRerank', config: { model: 'rerank-v3.5' } },
}

it('settings pass through their form', () => {
  expect(toConfig(toDraft(full))).toEqual(full)
  expect(toConfig(toDraft({ neighbours: 2 }))).toEqual({ neighbours: 2 })
})

it('a form of defaults has no settings', () => {
  expect(toConfig(toDraft(null))).toEqual({})
  expect(toConfig({ ...toDraft(null), filter: ' {} ' })).toEqual({})
  expect(checkSearch(toDraft(null)).fields).toEqual({})
})

it.each([
  [{ topK: '0' }, 'topK'],
  [{ topK: '2.5' }, 'topK'],
  [{ topK: 'ten' }, 'topK'],
  [{ threshold: '1.1' }, 'threshold'],
  [{ threshold: '-0.1' }, 'threshold'],
  [{ mmrLambda: '2' }, 'mmrLambda'],
  [{ filter: '[]' }, 'filter'],
  [{ filter: 'lang=en' }, 'filter'],
])('refuses %j', (wrong, field) => {
  expect(Object.keys(checkSearch({ ...toDraft(null), ...wrong }).fields)).toEqual([field])
})

it('a store without embeddings is searched by keyword, whatever was chosen before', () => {
  expect(modesOf(false)).toEqual(['keyword'])
  expect(defaultMode({ mode: 'vector' }, false)).toBe('keyword')
  expect(defaultMode({ mode: 'vector' }, true)).toBe('vector')
  expect(defaultMode(null, true)).toBe('hybrid')
})

it.each([
  [0.01639, '0.0164'],
  [0.834_56, '0.835'],
  [12.3456, '12.35'],
  [-0.25, '-0.250'],
  // Of BM25 in a store of one chunk.
  [0.000_001_372, '0.0000014'],
  [0, '0'],
])('shows the score %f as %s', (score, text) => {
  expect(formatScore(score)).toBe(text)
})
