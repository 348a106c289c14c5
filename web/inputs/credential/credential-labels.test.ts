import { expect, it } from 'vitest'
import { credentialLabels } from './credential-labels.ts'

it('tells credentials of the same name apart by when they were created', () => {
  const credential = (id: string, name: string, createdDate: string) => ({ id, name, createdDate })
  const labels = credentialLabels([
    credential('a', 'Team', '2026-03-01T10:00:00.000Z'),
    credential('b', 'Team', '2026-03-01T10:00:05.000Z'),
    credential('c', 'Mine', '2026-03-01T10:00:00.000Z'),
  ])
  expect(labels.get('c')).toBe('Mine')
  expect(labels.get('a')).toMatch(/^Team \(created .*2026.*\)$/)
  expect(labels.get('b')).not.toBe(labels.get('a'))
})
