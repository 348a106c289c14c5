import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { allowScript } from './first-paint.ts'

it('allows the inline script by its hash, and no other', () => {
  const hash = createHash('sha256').update('boot()').digest('base64')
  expect(allowScript("script-src 'self'; style-src 'self'", 'boot()')).toBe(
    `script-src 'self' 'sha256-${hash}'; style-src 'self'`,
  )
})

it('refuses headers without a policy for scripts', () => {
  expect(() => allowScript("default-src 'self'", 'boot()')).toThrow("script-src 'self'")
})
