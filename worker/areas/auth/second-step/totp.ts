/** Codes of authenticator apps: RFC 6238 with what every app assumes. */
import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/** Clocks differ, and people take a while to type. */
const STEPS_AROUND = 1

export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** Returns the `otpauth:` address that apps read from a picture. */
export const addressOf = (secret: string, account: string): string => totp(secret, account).toString()

/** Returns the step of the code, counted since 1970; undefined when it is no code of now. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const delta = totp(secret).validate({ token: code, timestamp, window: STEPS_AROUND })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta
}

function totp(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: 'Heddle', label, secret, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS })
}
