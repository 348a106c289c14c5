import * as z from 'zod'
import { loginSchema, sessionUserSchema } from '#contract/account/account.ts'
import { passkeyQuestionSchema, passkeySignInSchema } from '#contract/organization/passkeys.ts'
import {
  confirmMethodsSchema,
  confirmSchema,
  secondStepNeededSchema,
  secondStepSchema,
} from '#contract/organization/security.ts'
import { auditExempt } from '../../http/audit.ts'
import { noContent, type Route, route, userOf } from '../../http/route.ts'
import { confirmIdentity, confirmMethods } from './confirm.ts'
import { askPasskey, signInByPasskey } from './passkeys/sign-in.ts'
import { refreshSession } from './refresh.ts'
import { takeSecondStep } from './second-step/second-step.ts'
import { sessionUser } from './session-user.ts'
import { signIn } from './sign-in.ts'

export const routes: Route[] = [
  route({
    method: 'POST',
    path: '/auth/login',
    summary: 'Sign in',
    description:
      'With two-step sign-in, returns a challenge instead of a session: send it with a code to /auth/second-step.',
    audit: auditExempt.session,
    answer: z.union([sessionUserSchema, secondStepNeededSchema]),
    errors: ['unauthorized'],
    access: 'public',
    body: loginSchema,
    limit: { max: 100, windowSeconds: 300 },
    handle: ({ context, body }) => signIn(context, body),
  }),
  route({
    method: 'POST',
    path: '/auth/second-step',
    summary: 'Sign in with a code',
    description: 'A code from the authenticator app, or a recovery code. Each works once.',
    audit: auditExempt.session,
    answer: sessionUserSchema,
    errors: ['unauthorized'],
    access: 'public',
    body: secondStepSchema,
    limit: { max: 100, windowSeconds: 300 },
    handle: ({ context, body }) => takeSecondStep(context, body),
  }),
  route({
    method: 'POST',
    path: '/auth/passkey/options',
    summary: 'Start signing in with a passkey',
    audit: auditExempt.session,
    answer: passkeyQuestionSchema,
    access: 'public',
    limit: { max: 60, windowSeconds: 300 },
    handle: ({ context }) => askPasskey(context),
  }),
  route({
    method: 'POST',
    path: '/auth/passkey',
    summary: 'Sign in with a passkey',
    audit: auditExempt.session,
    answer: sessionUserSchema,
    errors: ['unauthorized'],
    access: 'public',
    body: passkeySignInSchema,
    limit: { max: 100, windowSeconds: 300 },
    handle: ({ context, body }) => signInByPasskey(context, body.passkey),
  }),
  route({
    method: 'POST',
    path: '/auth/confirm/options',
    summary: 'Start confirming with a passkey',
    audit: auditExempt.session,
    answer: passkeyQuestionSchema,
    access: 'account',
    limit: { max: 60, windowSeconds: 300 },
    handle: ({ context, actor }) => askPasskey(context, { purpose: 'confirm', userId: userOf(actor).userId }),
  }),
  route({
    method: 'GET',
    path: '/auth/confirm',
    summary: 'List how you can confirm that it is you',
    answer: confirmMethodsSchema,
    access: 'signed-in',
    handle: ({ services, actor }) => confirmMethods(services, userOf(actor)),
  }),
  route({
    method: 'POST',
    path: '/auth/confirm',
    summary: 'Confirm that it is you',
    description: 'Calls that failed with 409 confirm_identity work for the next ten minutes.',
    audit: auditExempt.session,
    answer: noContent,
    errors: ['rate_limited'],
    access: 'account',
    body: confirmSchema,
    async handle({ context, actor, body }) {
      await confirmIdentity(context, userOf(actor), body)
      return context.body(null, 204)
    },
  }),
  route({
    method: 'POST',
    path: '/auth/refreshToken',
    summary: 'Renew the session',
    audit: auditExempt.session,
    answer: sessionUserSchema,
    errors: ['unauthorized'],
    access: 'public',
    handle: ({ context }) => refreshSession(context),
  }),
  route({
    method: 'GET',
    path: '/auth/me',
    summary: 'Get the signed-in user',
    answer: sessionUserSchema,
    access: 'signed-in',
    handle: ({ services, actor }) => sessionUser(services, userOf(actor).sessionId),
  }),
]
