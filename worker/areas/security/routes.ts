/** What people do for the security of their own account. */
import { and, count, eq, isNotNull, isNull } from 'drizzle-orm'
import * as z from 'zod'
import {
  changePasswordSchema,
  endedSessionsSchema,
  firstCodeSchema,
  newAuthenticatorSchema,
  ownSessionSchema,
  recoveryCodesSchema,
  type Security,
  securitySchema,
} from '#contract/organization/security.ts'
import { authenticators, passkeys, recoveryCodes, users } from '#db/schema/index.ts'
import { noContent, type Route, route, type UserActor, userOf } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { addAuthenticator, confirmAuthenticator, removeAuthenticator, renewRecoveryCodes } from './authenticator.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { changePassword } from './password.ts'
import { endOtherSessions, endSession, listSessions } from './sessions.ts'
import { removeSignInMethods } from './sign-in-methods.ts'

const sessionId = z.object({ id: z.string().max(100) })

export const routes: Route[] = [
  ...passkeyRoutes,
  route({
    method: 'GET',
    path: '/account/security',
    summary: 'Get how your account is secured',
    answer: securitySchema,
    access: 'account',
    handle: ({ services, actor }) => getSecurity(services, userOf(actor)),
  }),
  route({
    method: 'PUT',
    path: '/account/password',
    summary: 'Change your password',
    description: 'Ends your other sessions.',
    audit: 'account.change-password',
    answer: noContent,
    errors: ['rate_limited'],
    access: 'account',
    body: changePasswordSchema,
    async handle({ context, actor, body }) {
      await changePassword(context, userOf(actor), body)
      return context.body(null, 204)
    },
  }),
  route({
    method: 'POST',
    path: '/account/authenticator',
    summary: 'Start setting up an authenticator app',
    audit: { none: 'It changes nothing until its first code' },
    answer: newAuthenticatorSchema,
    errors: ['conflict'],
    access: 'account',
    confirmed: true,
    handle: ({ context, actor }) => addAuthenticator(context, userOf(actor)),
  }),
  route({
    method: 'POST',
    path: '/account/authenticator/confirm',
    summary: 'Finish setting up an authenticator app',
    description: 'From now on, signing in requires a code. Returns recovery codes, which are shown only once.',
    audit: 'account.add-second-step',
    answer: recoveryCodesSchema,
    errors: ['conflict'],
    access: 'account',
    confirmed: true,
    body: firstCodeSchema,
    limit: { max: 30, windowSeconds: 300 },
    handle: async ({ context, actor, body }) => ({
      recoveryCodes: await confirmAuthenticator(context, userOf(actor), body.code),
    }),
  }),
  route({
    method: 'DELETE',
    path: '/account/authenticator',
    summary: 'Remove your authenticator app',
    audit: 'account.remove-second-step',
    answer: noContent,
    errors: ['not_found'],
    access: 'account',
    confirmed: true,
    async handle({ context, actor }) {
      await removeAuthenticator(context, userOf(actor))
      return context.body(null, 204)
    },
  }),
  route({
    method: 'POST',
    path: '/account/recovery-codes',
    summary: 'Make new recovery codes',
    description: 'The old codes stop working.',
    audit: 'account.renew-recovery-codes',
    answer: recoveryCodesSchema,
    errors: ['not_found'],
    access: 'account',
    confirmed: true,
    handle: async ({ context, actor }) => ({ recoveryCodes: await renewRecoveryCodes(context, userOf(actor)) }),
  }),
  route({
    method: 'DELETE',
    path: '/account/sign-in-methods',
    summary: 'Remove every way to sign in but your password',
    description:
      'Removes passkeys, the authenticator app with its recovery codes, and linked identities. Ends your other sessions.',
    audit: 'account.remove-sign-in-methods',
    answer: noContent,
    errors: ['conflict'],
    access: 'account',
    confirmed: true,
    async handle({ context, actor }) {
      await removeSignInMethods(context, userOf(actor))
      return context.body(null, 204)
    },
  }),
  route({
    method: 'GET',
    path: '/account/sessions',
    summary: 'List where you are signed in',
    answer: z.array(ownSessionSchema),
    access: 'account',
    handle: ({ services, actor }) => listSessions(services, userOf(actor)),
  }),
  route({
    method: 'DELETE',
    path: '/account/sessions',
    summary: 'Sign out everywhere else',
    audit: 'account.end-sessions',
    answer: endedSessionsSchema,
    access: 'account',
    handle: async ({ context, actor }) => ({ ended: await endOtherSessions(context, userOf(actor)) }),
  }),
  route({
    method: 'DELETE',
    path: '/account/sessions/:id',
    summary: 'Sign out of one session',
    audit: 'account.end-sessions',
    answer: noContent,
    access: 'account',
    params: sessionId,
    async handle({ context, actor, params }) {
      await endSession(context, userOf(actor), params.id)
      return context.body(null, 204)
    },
  }),
]

async function getSecurity({ db }: Pick<Services, 'db'>, { userId, limitedTo }: UserActor): Promise<Security> {
  const [own, apps, codes, keys] = await db.batch([
    db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId)),
    db
      .select({ createdDate: authenticators.createdDate })
      .from(authenticators)
      .where(and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedDate))),
    db
      .select({ left: count() })
      .from(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedDate))),
    db
      .select({
        id: passkeys.id,
        name: passkeys.name,
        createdDate: passkeys.createdDate,
        lastUsedDate: passkeys.lastUsedDate,
      })
      .from(passkeys)
      .where(eq(passkeys.userId, userId))
      .orderBy(passkeys.createdDate),
  ])
  return {
    hasPassword: Boolean(own[0]?.passwordHash),
    authenticator: apps[0] ?? null,
    recoveryCodesLeft: codes[0]?.left ?? 0,
    passkeys: keys,
    mayAddPasskeys: limitedTo === null,
  }
}
