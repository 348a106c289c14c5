import type { OwnSession, Security } from '#contract/organization/security.ts'
import type { Identities } from '#contract/organization/sso.ts'

export interface Way {
  id: string
  name: string
  /** When it was added, or began. */
  date: string
}

interface Account {
  security: Security
  identities: Identities['identities']
  sessions: OwnSession[]
}

/** Lists everything that opens an account besides its password and this browser. */
export function listWays({ security, identities, sessions }: Account): Way[] {
  const { authenticator, recoveryCodesLeft, passkeys } = security
  const codes = recoveryCodesLeft === 1 ? '1 recovery code' : `${recoveryCodesLeft} recovery codes`
  return [
    ...passkeys.map(({ id, name, createdDate }) => ({ id, name: `Passkey “${name}”`, date: createdDate })),
    ...(authenticator ? [{ id: 'app', name: `Authenticator app with ${codes}`, date: authenticator.createdDate }] : []),
    ...identities.map(({ issuer, subject, email, createdDate }) => ({
      id: `${issuer} ${subject}`,
      name: `${email || subject} at ${URL.parse(issuer)?.hostname ?? issuer}`,
      date: createdDate,
    })),
    ...sessions
      .filter(({ current }) => !current)
      .map(({ id, device, address, createdDate }) => ({
        id,
        name: `Session: ${[device ?? 'Unknown device', address].filter(Boolean).join(', ')}`,
        date: createdDate,
      })),
  ]
}
