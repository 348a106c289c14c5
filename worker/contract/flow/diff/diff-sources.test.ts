import { expect, it } from 'vitest'
import { diffSources } from './diff-sources.ts'

const file = (name: string, digest: string, size = 3) => ({ name, digest, size })

it('lists the source files that were added, removed or changed, and no others', () => {
  const before = [file('same.yaml', 'a'), file('gone.yaml', 'b', 7), file('edited.py', 'c', 10)]
  const after = [file('new.yaml', 'd', 5), file('edited.py', 'e', 12), file('same.yaml', 'a')]
  expect(diffSources(before, after)).toEqual([
    { name: 'edited.py', mark: 'changed', before: 10, after: 12 },
    { name: 'gone.yaml', mark: 'removed', before: 7, after: undefined },
    { name: 'new.yaml', mark: 'added', before: undefined, after: 5 },
  ])
})

it('tells a file of the same size with other bytes, and one that was renamed', () => {
  expect(diffSources([file('a', '1')], [file('a', '2')])).toMatchObject([{ name: 'a', mark: 'changed' }])
  expect(diffSources([file('a', '1')], [file('b', '1')]).map(({ mark }) => mark)).toEqual(['removed', 'added'])
})
