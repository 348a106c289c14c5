// @defends organization-provider-account
/** Which routes a session may use that an organization's identity provider opened. */
import { describe, expect, it } from 'vitest'
import { routes } from '../areas/index.ts'
import { nameOf } from './testing/calls.ts'

/** What is the person's in every organization. */
const OF_ACCOUNT = [
  'DELETE /account/authenticator',
  'DELETE /account/passkeys/:id',
  'DELETE /account/sessions',
  'DELETE /account/sessions/:id',
  'DELETE /account/sign-in-methods',
  'GET /account/identities',
  'GET /account/security',
  'GET /account/sessions',
  'PATCH /account/passkeys/:id',
  'POST /account/authenticator',
  'POST /account/authenticator/confirm',
  'POST /account/email',
  'POST /account/email/confirm',
  'POST /account/identities/:id/link',
  'POST /account/identities/unlink',
  'POST /account/leave',
  'POST /account/passkeys',
  'POST /account/passkeys/options',
  'POST /account/recovery-codes',
  // Tries the person's password, code or passkey.
  'POST /auth/confirm',
  'POST /auth/confirm/options',
  'PUT /account/password',
  'PUT /account/profile',
]

/** Routes of every session, and why an organization's may use them. */
const OF_EVERY_SESSION: Record<string, string> = {
  'GET /email-settings': 'Reads the membership of its organization only',
  'GET /auth/confirm': 'Tells such a session its provider only',
  'GET /auth/me': 'Lists the workspaces of its organization only',
  'GET /home': 'Reads the session’s workspace',
  'GET /permissions': 'Says what the session may grant in its workspace',
  'GET /permissions/features': 'Says what the session may open in its workspace',
  'GET /search': 'Reads the session’s workspace',
  'POST /auth/confirm/provider': 'Asks the provider that opened the session',
  'POST /workspaces/:id/leave': 'Ends what the organization gave',
  'POST /workspaces/:id/switch': 'Finds workspaces of its organization only',
  'PUT /email-settings': 'Changes the membership of its organization only',
}

const named = (access: string) =>
  routes
    .filter((route) => route.access === access)
    .map(nameOf)
    .sort()

describe('a session that an organization’s provider opened', () => {
  it('is refused by every route of the account', () => {
    expect(named('account')).toEqual([...OF_ACCOUNT].sort())
  })

  it('uses routes of every session for a reason', () => {
    expect(named('signed-in')).toEqual(Object.keys(OF_EVERY_SESSION).sort())
  })
})
