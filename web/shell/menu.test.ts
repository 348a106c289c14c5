import { describe, expect, it } from 'vitest'
import { SEARCH_LIMIT, searchMenu } from './menu.ts'

const items = [
  { title: 'Agent flows', description: 'Draw agents on a canvas' },
  { title: 'Executions', description: 'What each run did and cost' },
  { title: 'API keys', description: 'Let programs use your flows' },
]

describe('search', () => {
  it.each([
    ['AGENT', ['Agent flows']],
    ['  runs ', []],
    ['run', ['Executions']],
    ['flows', ['Agent flows', 'API keys']],
    ['', ['Agent flows', 'Executions', 'API keys']],
    ['flows draw', []],
  ])('%j finds %j', (query, titles) => {
    expect(searchMenu(items, query).map((item) => item.title)).toEqual(titles)
  })

  it('answers at most eight', () => {
    const many = Array.from({ length: 12 }, (_, at) => ({ title: `Page ${at}`, description: '' }))
    expect(searchMenu(many, 'page')).toHaveLength(SEARCH_LIMIT)
    expect(SEARCH_LIMIT).toBe(8)
  })
})
