/** Password hashes: scrypt, stored together with its parameters. */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { PASSWORD_COST } from './password-cost.ts'

/** `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`, both base64url. */
const PREFIX = `$scrypt$ln=${PASSWORD_COST.ln},r=${PASSWORD_COST.r},p=${PASSWORD_COST.p}`
const BYTES = 32
const FORMAT = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/

/** Checked for unknown users, so that an unknown e-mail address takes as long as a wrong password. */
const DUMMY_HASH = `${PREFIX}$${'A'.repeat(22)}$${'A'.repeat(43)}`

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const { ln, r, p } = PASSWORD_COST
  const hash = await derive(password, salt, { N: 2 ** ln, r, p })
  return `${PREFIX}$${salt.toString('base64url')}$${hash.toString('base64url')}`
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
