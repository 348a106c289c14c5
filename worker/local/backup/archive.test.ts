import { expect, it } from 'vitest'
import { describeCounts } from './archive.ts'

it.each([
  [{ chatflows: 3, executions: 1, files: 0 }, '3 flows, 1 run, 0 files'],
  [{ chatflows: 1, executions: 2, files: 1, users: 9 }, '1 flow, 2 runs, 1 file'],
])('says what an archive holds: %j', (counts, text) => {
  expect(describeCounts({ counts })).toBe(text)
})
