/** Access tokens: short-lived JWTs that name a session. Each request also reads the session's row. */
import { errors, jwtVerify, SignJWT } from 'jose'
import { HeddleError } from '#contract/errors.ts'
import { derivedKey } from './secrets.ts'

export const ACCESS_SECONDS = 15 * 60
export const REFRESH_SECONDS = 30 * 24 * 60 * 60

const ISSUER = 'heddle'

export interface SessionTokens {
  sessionId: string
  accessToken: string
  refreshToken: string
}

export function invalidToken(): HeddleError {
  return new HeddleError('unauthorized', 'Invalid or Missing token')
}

export async function signAccessToken(sessionKey: string, sessionId: string, now: Date): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000)
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(ISSUER)
    .setJti(sessionId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_SECONDS)
    .sign(derivedKey(sessionKey, 'access'))
}

/** Returns the session's id. Throws 401: `Token Expired` with retry, or `Invalid or Missing token`. */
export async function verifyAccessToken(sessionKey: string, token: string, now: Date): Promise<string> {
  try {
    const { payload } = await jwtVerify(token, derivedKey(sessionKey, 'access'), {
      algorithms: ['HS256'],
      issuer: ISSUER,
      requiredClaims: ['jti', 'exp'],
      currentDate: now,
    })
    return payload.jti as string
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new HeddleError('unauthorized', 'Token Expired', { retry: true })
    throw invalidToken()
  }
}
