import { expect, it } from 'vitest'
import { storedNames, storedValue } from './stored-files.ts'

it.each<[unknown, string[]]>([
  ['', []],
  [undefined, []],
  ['data:text/plain;base64,eA==,filename:a.txt', []],
  ['FILE-STORAGE::a.pdf', ['a.pdf']],
  ['FILE-STORAGE::["a.pdf","b, c.pdf"]', ['a.pdf', 'b, c.pdf']],
  ['FILE-STORAGE::[draft] a.pdf', ['[draft] a.pdf']],
  ['FILE-STORAGE::', []],
])('the value %j names %j', (value, names) => {
  expect(storedNames(value)).toEqual(names)
})

it('names written are read again', () => {
  for (const names of [[], ['a.pdf'], ['"quoted".txt', '[b].md', 'ü, c']]) {
    expect(storedNames(storedValue(names))).toEqual(names)
  }
})
