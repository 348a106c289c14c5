import { Secret } from 'otpauth'
import { expect, it } from 'vitest'
import { findStep, formatAddress, newSecret } from './totp.ts'

/** The SHA-1 secret of RFC 6238, appendix B. */
const secret = Secret.fromUTF8('12345678901234567890').base32
const at = (seconds: number) => new Date(seconds * 1000)

it.each([
  [59, '287082', 1],
  [1111111109, '081804', 37037036],
  [1234567890, '005924', 41152263],
  [20000000000, '353130', 666666666],
])('computes the code of RFC 6238 at %i seconds', async (seconds, code, step) => {
  expect(await findStep(secret, code, at(seconds))).toBe(step)
})

it('accepts the codes of the neighbouring steps, and names their steps', async () => {
  expect(await findStep(secret, '287082', at(59 + 30))).toBe(1)
  expect(await findStep(secret, '287082', at(59 - 30))).toBe(1)
  expect(await findStep(secret, '287082', at(59 + 60))).toBeUndefined()
})

it.each(['', '28708', '2870822', 'abcdef', '287 082x', '-87082'])('refuses %j', async (code) => {
  expect(await findStep(secret, code, at(59))).toBeUndefined()
})

it('makes secrets of 160 bits that apps can read', async () => {
  const made = await newSecret()
  expect(Secret.fromBase32(made).bytes).toHaveLength(20)
  expect(await newSecret()).not.toBe(made)
  expect(await formatAddress(made, 'a b@example.com')).toBe(
    `otpauth://totp/Heddle:a%20b%40example.com?issuer=Heddle&secret=${made}&algorithm=SHA1&digits=6&period=30`,
  )
})
