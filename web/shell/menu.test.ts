import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { AREAS, MENU_GROUPS } from '#contract/areas.ts'
import { SEARCH_LIMIT, searchMenu } from './menu.ts'

describe('areas', () => {
  it('appear as the static data of exactly one route each', () => {
    const folder = new URL('../routes/_main/', import.meta.url)
    const routes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    const named = routes.flatMap((text) => /staticData: areaOf\('([^']+)'\)/.exec(text)?.[1] ?? [])
    expect(named.sort()).toEqual(AREAS.map(({ path }) => path).sort())
  })

  it('use the groups of the menu', () => {
    expect(MENU_GROUPS).toEqual(['Main', 'Evaluations', 'User & Workspace Management', 'Others'])
  })
})

const items = [
  { menuTitle: 'Agent flows', description: 'Draw agents on a canvas' },
  { menuTitle: 'Executions', description: 'What each run did and cost' },
  { menuTitle: 'API keys', description: 'Let programs use your flows' },
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
    expect(searchMenu(items, query).map((item) => item.menuTitle)).toEqual(titles)
  })

  it('returns at most eight items', () => {
    const many = Array.from({ length: 12 }, (_, at) => ({ menuTitle: `Page ${at}`, description: '' }))
    expect(searchMenu(many, 'page')).toHaveLength(SEARCH_LIMIT)
    expect(SEARCH_LIMIT).toBe(8)
  })
})
