import { expect, expectWords, page, role, story, text } from '../../workshop/story.tsx'
import { CompareTotals } from './CompareTotals.tsx'

const run = (id: string) =>
  ({
    id,
    agentflow: { id: 'f', name: `Flow ${id}` },
    createdDate: '2026-01-01T00:00:00.000Z',
    flowVersion: 3,
    state: 'FINISHED',
  }) as never

const totals = {
  steps: { a: 2, b: 4 },
  tokens: { a: 1000, b: 1500 },
  cost: { a: 0.5, b: null },
  duration: { a: 1500, b: null },
}

const compare = (more: object) => (
  <CompareTotals a={run('a')} b={run('b')} comparison={{ totals, steps: [], ...more } as never} />
)

const cells = (name: RegExp) =>
  [...page.getByRole('row', { name }).element().querySelectorAll('td')].map(({ textContent }) => textContent)

story(
  'two runs stand side by side with their totals and the change',
  () => compare({ isSamePath: true }),
  async () => {
    await expect.element(role('link', 'Flow a')).toHaveAttribute('href', '/executions/a')
    expect(cells(/^Steps/).slice(0, 2)).toEqual(['2', '4'])
    expect(cells(/^Tokens/).slice(0, 2)).toEqual(['1,000', '1,500'])
    expect(cells(/^Tokens/)[2]).toContain('50')
    await expect.element(text('Both runs took the same path.')).toBeVisible()
  },
)

story(
  'a cost that nobody knows is a dash, and a run in progress has no duration',
  () => compare({ isSamePath: true }),
  async () => {
    await expect.element(page.getByRole('row', { name: /^Cost/ })).toBeVisible()
    expect(cells(/^Cost/).slice(0, 2)).toEqual([expect.stringContaining('0.5'), '–'])
    expect(cells(/^Duration/).slice(0, 2)).toEqual(['1.5 s', 'still running'])
  },
)

story(
  'other paths are counted by the steps that only one run took',
  () =>
    compare({ isSamePath: false, steps: [{ kind: 'onlyA' }, { kind: 'onlyB' }, { kind: 'onlyB' }, { kind: 'both' }] }),
  async () => {
    await expectWords(role('main'), '1 step only in A, 2 steps only in B.')
  },
)
