// @defends unlocked-browser-power
/** Every route that gives somebody lasting power, or shows a secret that does, asks who is there. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { AUDIT_EVENTS, type AuditEvent } from '#contract/organization/audit.ts'
import { routes } from '../areas/index.ts'
import type { Route } from './route.ts'
import { nameOf } from './testing/calls.ts'

/** What each change of people, rights and ways to sign in leaves behind: power that lasts, or none. */
const LASTS: Record<AuditEvent, boolean> = {
  'user.create': true,
  'user.add': true,
  'user.provision': true,
  'user.update': false,
  'user.disable': false,
  'user.enable': true,
  'user.remove': false,
  'user.change-admin': true,
  'user.change-role': true,
  'user.remove-second-step': true,
  'invitation.create': true,
  'invitation.resend': true,
  'invitation.revoke': false,
  'invitation.accept': false,
  'role.create': true,
  'role.update': true,
  'role.delete': false,
  'workspace.create': false,
  'workspace.update': false,
  'workspace.delete': false,
  'workspace.restore': false,
  'workspace.add-user': true,
  'workspace.change-role': true,
  'workspace.remove-user': false,
  'workspace.export': false,
  'workspace.import': false,
  'api-key.create': true,
  'api-key.update': true,
  'api-key.delete': false,
  'credential.create': false,
  'credential.update': false,
  'credential.delete': false,
  'variable.create': false,
  'variable.update': false,
  'variable.delete': false,
  'flow.delete': false,
  'flow.publish': false,
  'flow.share': false,
  'identity-provider.create': true,
  'identity-provider.update': true,
  // With it, and with a domain, goes the single sign-on that was required.
  'identity-provider.delete': true,
  'login-activity.delete': false,
  'identity-provider.test': false,
  'domain.create': false,
  'domain.prove': true,
  'domain.delete': true,
  'directory-token.create': true,
  'directory-token.delete': true,
  'directory-group.create': false,
  'directory-group.update': false,
  'directory-group.delete': false,
  'directory-group.map': true,
  'account.change-name': false,
  'account.change-email': true,
  'account.undo-email-change': false,
  'account.change-password': true,
  'account.add-second-step': true,
  'account.remove-second-step': true,
  'account.renew-recovery-codes': true,
  'account.add-passkey': true,
  'account.remove-passkey': true,
  'account.remove-sign-in-methods': true,
  'account.end-sessions': false,
  'account.link-identity': true,
  'account.unlink-identity': true,
}

/** Routes that ask in another way. */
const ASKS_OTHERWISE: Record<string, string> = {
  'POST /account/email/confirm': 'The request for the new address was confirmed, and only its mail has the token',
  'PUT /account/password': 'It wants the current password',
}

/** Routes whose answer has a field for a secret that they do not make. */
const MAKES_NONE: Record<string, string> = {
  'DELETE /mcp-server/:id': 'It answers what is left, without a token',
  'POST /custom-mcp-servers': 'The secret is another server’s, and masked',
  'PUT /custom-mcp-servers/:id': 'The secret is another server’s, and masked',
  'POST /custom-mcp-servers/:id/authorize': 'The secret is another server’s, and masked',
  'POST /custom-mcp-servers/:id/disconnect': 'The secret is another server’s, and masked',
}

const byPeople = routes.filter(
  ({ access }) => access !== 'public' && !(typeof access === 'object' && 'directoryOnly' in access),
)
const unconfirmed = byPeople.filter((route) => !route.confirmed && !(nameOf(route) in ASKS_OTHERWISE))

/** Names of fields that hold what opens something. */
const SECRET = /^(.*token|secret|.*[a-z]Secret|apiKey|recoveryCodes)$/i

/** Returns the fields of a route's answers that hold a secret, which it shows once. */
function secretsOf({ answer }: Pick<Route, 'answer'>): string[] {
  const schemas = answer instanceof z.ZodType ? [answer] : answer.flatMap(({ schema }) => schema ?? [])
  const names = schemas.flatMap((schema) => [
    ...JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'output' })).matchAll(
      /"(\w+)":\{(?:"description":"[^"]*",)?"type":"string"/g,
    ),
  ])
  return [...new Set(names.map(([, name = '']) => name))].filter((name) => SECRET.test(name))
}

it('knows of each recorded change whether its power lasts', () => {
  expect(Object.keys(LASTS).sort()).toEqual([...AUDIT_EVENTS].sort())
})

describe('a route that does not ask who is there', () => {
  it('gives nobody lasting power', () => {
    const giving = unconfirmed.filter(({ audit }) => typeof audit === 'string' && LASTS[audit])
    expect(giving.map(nameOf)).toEqual([])
  })

  it('shows no new key, token or secret', () => {
    const showing = unconfirmed.filter((route) => route.method !== 'GET' && secretsOf(route).length > 0)
    expect(showing.map(nameOf)).toEqual(Object.keys(MAKES_NONE))
  })
})

it('finds the routes that show a key, a token or a secret', () => {
  const showing = byPeople.filter((route) => route.method !== 'GET' && secretsOf(route).length > 0)
  expect(showing.map(nameOf)).toEqual(
    expect.arrayContaining(['POST /apikey', 'POST /scim-tokens', 'POST /mcp-server/:id', 'POST /triggers/:id/secret']),
  )
})
