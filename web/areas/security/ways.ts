import type { OwnSession, Security } from '#contract/organization/security.ts'
import type { Identities } from '#contract/organization/sso.ts'

export interface Way {
  id: string
  name: string
  /** When it was added, or began. */
  date: string
  what: WayKey
}

/** Names a way in to the call that removes it. */
export type WayKey =
  | { kind: 'passkey' | 'session'; id: string }
  | { kind: 'app' }
  | { kind: 'identity'; issuer: string; subject: string }

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
    ...passkeys.map(({ id, name, createdDate }): Way => {
      return { id, name: `Passkey “${name}”`, date: createdDate, what: { kind: 'passkey', id } }
    }),
    ...(authenticator ? [appWay(`Authenticator app with ${codes}`, authenticator.createdDate)] : []),
    ...identities.map(
      ({ issuer, subject, email, createdDate }): Way => ({
        id: `${issuer} ${subject}`,
        name: `${email || subject} at ${URL.parse(issuer)?.hostname ?? issuer}`,
        date: createdDate,
        what: { kind: 'identity', issuer, subject },
      }),
    ),
    ...sessions
      .filter(({ current }) => !current)
      .map(
        ({ id, device, address, createdDate }): Way => ({
          id,
          name: `Session: ${[device ?? 'Unknown device', address].filter(Boolean).join(', ')}`,
          date: createdDate,
          what: { kind: 'session', id },
        }),
      ),
  ]
}

const appWay = (name: string, date: string): Way => ({ id: 'app', name, date, what: { kind: 'app' } })
