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

it('tells those created in the same second apart by how their ids end', () => {
  const twins = ['c0ffee-1a2b', 'c0ffee-3c4d'].map((id) => ({ id, name: 'Team', createdDate: '2026-03-01T10:00:00Z' }))
  const later = { id: 'c0ffee-5e6f', name: 'Team', createdDate: '2026-03-01T10:00:05Z' }
  const labels = credentialLabels([...twins, later])
  expect(labels.get('c0ffee-1a2b')).toMatch(/, ID …1a2b\)$/)
  expect(labels.get('c0ffee-3c4d')).toMatch(/, ID …3c4d\)$/)
  expect(labels.get('c0ffee-5e6f')).not.toContain('ID')
})
