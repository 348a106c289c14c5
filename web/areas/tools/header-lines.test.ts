import { expect, test } from 'vitest'
import { BLANK_SECRET } from '#contract/credentials/credentials.ts'
import { headerLines, readHeaderLines } from './header-lines.ts'

test('a stored header is shown without its value and kept', () => {
  const lines = headerLines({ Authorization: BLANK_SECRET })
  expect(lines).toBe('Authorization: (stored)')
  expect(readHeaderLines(`${lines}\n\nX-Team: a:b `)).toEqual({ Authorization: BLANK_SECRET, 'X-Team': 'a:b' })
})

test.each(['Authorization', ': x', 'two words: x', 'X-Empty:'])('%j is no header', (line) => {
  expect(readHeaderLines(line)).toBeUndefined()
})
