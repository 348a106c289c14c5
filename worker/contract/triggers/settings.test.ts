import { expect, test } from 'vitest'
import { operationsSchema, webhookSettingsSchema } from './settings.ts'

const problemOf = (callbackUrl: string) =>
  webhookSettingsSchema.safeParse({ kind: 'webhook', input: { mode: 'none' }, callbackUrl }).error?.issues[0]?.message

test.each([
  ['https://hooks.example.com/a?b=c', undefined],
  ['http://localhost:1234/', undefined],
  ['https://ann:secret@hooks.example.com/', 'user name or password'],
  ['https://token@hooks.example.com/', 'user name or password'],
  ['ftp://hooks.example.com/', 'http://'],
  ['not an address', 'http://'],
])('checks the callback URL %s: %s', (url, problem) => {
  const found = problemOf(url)
  if (problem === undefined) expect(found).toBeUndefined()
  else expect(found).toContain(problem)
})

test('rejects alert URLs with a password', () => {
  expect(operationsSchema.safeParse({ alertUrl: 'https://ann:secret@example.com' }).success).toBe(false)
})
