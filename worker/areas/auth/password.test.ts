import { describe, expect, it } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

describe('passwords', () => {
  it('stores each hash with its parameters and its own salt', async () => {
    const [one, two] = await Promise.all([hashPassword('same'), hashPassword('same')])
    expect(one).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[\w-]{22}\$[\w-]{43}$/)
    expect(one).not.toBe(two)
    expect(await verifyPassword('same', one)).toBe(true)
    expect(await verifyPassword('Same', one)).toBe(false)
  })

  it('checks a password with the parameters of its hash', async () => {
    // scrypt's test vector of RFC 7914, section 12, cut to 32 bytes.
    const vector = Buffer.from('fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162', 'hex')
    const stored = `$scrypt$ln=10,r=8,p=16$${Buffer.from('NaCl').toString('base64url')}$${vector.toString('base64url')}`
    expect(await verifyPassword('password', stored)).toBe(true)
  })

  it('accepts a password in any Unicode normal form', async () => {
    expect(await verifyPassword('Zu\u0308rich', await hashPassword('Z\u00fcrich'))).toBe(true)
  })

  it('never matches for an unknown user or an account without a password', async () => {
    expect(await verifyPassword('', undefined)).toBe(false)
    expect(await verifyPassword('', '')).toBe(false)
    expect(await verifyPassword('x', '')).toBe(false)
    expect(await verifyPassword('x', undefined)).toBe(false)
  })

  it('throws for a hash in an unknown format', async () => {
    for (const stored of ['plain', '$2b$10$abc', '$scrypt$ln=14,r=8,p=5$salt$']) {
      await expect(verifyPassword('plain', stored)).rejects.toThrow('format')
    }
  })
})
