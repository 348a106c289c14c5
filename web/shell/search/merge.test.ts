import { describe, expect, it } from 'vitest'
import type { MenuViewer } from '#contract/access/menu.ts'
import { AREAS } from '#contract/areas.ts'
import { commandsFor } from './commands.ts'
import { mergeResults } from './merge.ts'

const page = (title: string, description = '') => ({ key: title, title, description })
const action = (title: string) => ({ key: title, title })
const found = (kind: string, title: string) => ({ key: title, title, kind })

const titles = (query: string, given: Partial<Parameters<typeof mergeResults>[1]>) =>
  mergeResults(query, { pages: [], actions: [], found: [], ...given }).map(({ title }) => title)

describe('search results', () => {
  it('are pages by title, actions, rows, and pages by description', () => {
    const pages = [page('Triggers', 'Run flows'), page('Flows', 'Draw')]
    const actions = [action('New flow'), action('Import')]
    expect(titles('flow', { pages, actions, found: [found('flow', 'Flow A')] })).toEqual([
      'Flows',
      'New flow',
      'Flow A',
      'Triggers',
    ])
  })

  it('take rows of each kind in turn', () => {
    const rows = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((title) => found(title.slice(0, 1), title))
    expect(titles('x', { found: rows })).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  it('are at most eight, and leave out no page for a row', () => {
    const pages = Array.from({ length: 7 }, (_, at) => page(`Page ${at}`, 'about flows'))
    const rows = Array.from({ length: 9 }, (_, at) => found('flow', `Row ${at}`))
    expect(titles('flow', { found: rows })).toHaveLength(8)
    expect(titles('flow', { pages, found: rows })).toEqual(['Row 0', ...pages.map(({ title }) => title)])
  })
})

describe('search actions', () => {
  const viewer: MenuViewer = { platform: 'cloud', isGlobal: false, permissions: [] }
  const all = AREAS.map(({ path }) => path)
  const of = (permissions: string[], paths: string[] = all) =>
    commandsFor({ ...viewer, permissions }, paths).map(({ title }) => title)

  it.each([
    [[], []],
    [['agentflows:view'], []],
    [['agentflows:create'], ['New agent flow', 'Describe what you want']],
    [['agentflows:update'], ['New schedule', 'New webhook']],
    [['variables:create'], ['New variable']],
    [['workspace:import'], ['Import']],
    [['workspace:export'], ['Export']],
  ])('offers a member with %j the actions %j', (permissions, expected) => {
    expect(of(permissions)).toEqual(expected)
  })

  it('leave out those whose page is hidden', () => {
    expect(of(['credentials:create'])).toEqual(['New credential'])
    expect(of(['credentials:create'], ['/agentflows'])).toEqual([])
  })
})
