import { expect, it } from 'vitest'
import { auditExempt } from './audit.ts'
import { wantsProof } from './confirmed.ts'

it('asks who is there for what gives somebody lasting power, however its route is declared', () => {
  for (const audit of ['user.change-admin', 'identity-provider.create', 'identity-provider.update'] as const) {
    expect(wantsProof({ audit })).toBe(true)
  }
  expect(wantsProof({ audit: 'account.end-sessions' })).toBe(false)
  expect(wantsProof({ audit: auditExempt.content })).toBe(false)
  expect(wantsProof({ audit: auditExempt.content, confirmed: true })).toBe(true)
  expect(wantsProof({})).toBe(false)
})
