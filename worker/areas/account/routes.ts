import { registerSchema, sessionUserSchema, setupCheckSchema, signedOutSchema } from '#contract/account.ts'
import { type Route, route } from '../../http/route.ts'
import { signOut, startSession } from '../auth/index.ts'
import { register } from './register.ts'
import { setupCheck } from './setup.ts'

export const routes: Route[] = [
  route({
    method: 'POST',
    path: '/account/register',
    summary: 'Create an account and sign in',
    answer: sessionUserSchema,
    access: 'public',
    body: registerSchema,
    limit: { max: 30, windowSeconds: 600 },
    handle: async ({ context, services, body }) => startSession(context, await register(services, body)),
  }),
  route({
    method: 'POST',
    path: '/account/logout',
    summary: 'Sign out',
    answer: signedOutSchema,
    access: 'public',
    handle: ({ context }) => signOut(context),
  }),
  route({
    method: 'GET',
    path: '/account/setup-check',
    summary: 'Check whether the first account is still missing',
    answer: setupCheckSchema,
    access: 'public',
    handle: ({ services }) => setupCheck(services),
  }),
]
