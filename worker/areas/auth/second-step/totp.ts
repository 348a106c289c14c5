/** Codes of authenticator apps: RFC 6238 with what every app assumes. */
import type { TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/** Clocks differ, and people take a while to type. */
const STEPS_AROUND = 1

export async function newSecret(): Promise<string> {
  const { Secret } = await import('otpauth')
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Returns the `otpauth:` address that apps read from a picture. */
export const formatAddress = async (secret: string, account: string): Promise<string> =>
  (await totp(secret, account)).toString()

/** Returns the step of the code, counted since 1970; undefined when it is no code of now. */
export async function findStep(secret: string, code: string, now: Date): Promise<number | undefined> {
  const timestamp = now.getTime()
  const delta = (await totp(secret)).validate({ token: code, timestamp, window: STEPS_AROUND })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta
}

async function totp(secret: string, label = ''): Promise<TOTP> {
  const { TOTP } = await import('otpauth')
  return new TOTP({ issuer: 'Heddle', label, secret, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS })
}
