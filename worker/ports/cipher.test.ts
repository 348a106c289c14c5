import { describe, expect, it } from 'vitest'
import { createCipher } from './cipher.ts'

const newKey = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')

describe('cipher', () => {
  const cipher = createCipher(newKey())

  it('decrypts what it encrypted', async () => {
    const key = await cipher.createWorkspaceKey()
    const plain = { openAIApiKey: 'sk-ünïcode', nested: { n: 1 }, long: 'x'.repeat(300_000) }
    expect(await cipher.decrypt(key, await cipher.encrypt(key, plain))).toEqual(plain)
  })

  it('reveals nothing of the secret and never encrypts it to the same text twice', async () => {
    const key = await cipher.createWorkspaceKey()
    const sealed = await cipher.encrypt(key, { key: 'secret' })
    expect(sealed).toMatch(/^v1\.[\w-]{16}\.[\w-]+$/)
    expect(Buffer.from(sealed.split('.')[2] as string, 'base64url').toString()).not.toContain('secret')
    expect(await cipher.encrypt(key, { key: 'secret' })).not.toBe(sealed)
  })

  it.each([
    ['another workspace’s key', async () => ({ by: cipher, key: await cipher.createWorkspaceKey() })],
    ['another master key', async (key: string) => ({ by: createCipher(newKey()), key })],
  ])('does not decrypt with %s', async (_name, change) => {
    const key = await cipher.createWorkspaceKey()
    const sealed = await cipher.encrypt(key, { key: 'secret' })
    const { by, key: otherKey } = await change(key)
    await expect(by.decrypt(otherKey, sealed)).rejects.toThrow(/MASTER_KEY/)
  })

  it('detects every changed character', async () => {
    const key = await cipher.createWorkspaceKey()
    const sealed = await cipher.encrypt(key, { a: 1 })
    // The last character may contain bits that base64 ignores.
    for (let at = 0; at < sealed.length - 1; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
      await expect(cipher.decrypt(key, changed)).rejects.toThrow()
    }
  })

  it('does not accept a wrapped key as a secret', async () => {
    const key = await cipher.createWorkspaceKey()
    await expect(cipher.decrypt(key, key)).rejects.toThrow()
  })

  it.each(['', 'short', newKey().slice(1)])('rejects the master key "%s"', (masterKey) => {
    expect(() => createCipher(masterKey)).toThrow(/MASTER_KEY must be 32 random bytes/)
  })

  it.each(['', 'v1', 'v2.AAAA.AAAA', 'v1.AAAA.AAAA.AAAA', 'secret'])(
    'rejects the encrypted value "%s"',
    async (sealed) => {
      const key = await cipher.createWorkspaceKey()
      await expect(cipher.decrypt(key, sealed)).rejects.toThrow(/unknown format/)
    },
  )
})
