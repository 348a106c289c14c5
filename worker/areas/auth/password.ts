/** Password hashes: scrypt with OWASP's parameters for 16 MiB, stored together with the hash. */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

/** N=2^14, r=8, p=5: `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`, both base64url. */
const LN = 14
const R = 8
const P = 5
const BYTES = 32
const FORMAT = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/

/** Checked for unknown users, so that an unknown e-mail address takes as long as a wrong password. */
const DUMMY_HASH = `$scrypt$ln=${LN},r=${R},p=${P}$${'A'.repeat(22)}$${'A'.repeat(43)}`

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, { N: 2 ** LN, r: R, p: P })
  return `$scrypt$ln=${LN},r=${R},p=${P}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/** Always does the work of one hash; false when `stored` is absent or empty, which no password matches. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, ln, r, p, salt, hash] = FORMAT.exec(stored || DUMMY_HASH) ?? []
  if (!salt || !hash) throw new Error('A stored password hash is not in a known format')
  const expected = Buffer.from(hash, 'base64url')
  const options = { N: 2 ** Number(ln), r: Number(r), p: Number(p) }
  const actual = await derive(password, Buffer.from(salt, 'base64url'), options)
  return actual.length === expected.length && timingSafeEqual(actual, expected) && Boolean(stored)
}

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const normalized = password.normalize('NFKC')
  scrypt(normalized, salt, BYTES, { ...options, maxmem: 64 * 1024 * 1024 }, (error, key) =>
    error ? reject(error) : resolve(key),
  )
  return promise
}
