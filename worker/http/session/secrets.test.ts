import { describe, expect, it } from 'vitest'
import { derivedKey, nextRefreshToken, randomToken, sameText, tokenHash, xsrfToken } from './secrets.ts'

describe('secrets', () => {
  it('derives a different key for every purpose', () => {
    const keys = (['access', 'cookie', 'refresh', 'xsrf'] as const).map((purpose) => String(derivedKey('k', purpose)))
    expect(new Set(keys).size).toBe(4)
    expect(String(derivedKey('other', 'access'))).not.toBe(keys[0])
  })

  it('are random', () => {
    const tokens = Array.from({ length: 100 }, randomToken)
    expect(new Set(tokens).size).toBe(100)
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/)
  })

  it('derives the next refresh token from the previous one and the key', () => {
    expect(nextRefreshToken('k', 'token')).toBe(nextRefreshToken('k', 'token'))
    expect(nextRefreshToken('k', 'token')).not.toBe(nextRefreshToken('other', 'token'))
    expect(nextRefreshToken('k', 'token')).not.toBe(nextRefreshToken('k', nextRefreshToken('k', 'token')))
  })

  it('derives different tokens for each session', () => {
    expect(xsrfToken('k', 'session 1')).not.toBe(xsrfToken('k', 'session 2'))
    expect(xsrfToken('k', 'session 1')).not.toBe(xsrfToken('other', 'session 1'))
  })

  it.each([
    ['', '', true],
    ['same', 'same', true],
    ['same', 'Same', false],
    ['same', 'same ', false],
    ['', 'x', false],
    ['é', 'é', true],
  ])('compares %j with %j: %s', (a, b, same) => {
    expect(sameText(a, b)).toBe(same)
  })

  it('hashes tokens with SHA-256', () => {
    expect(tokenHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
