import { loginSchema, sessionUserSchema } from '#contract/account.ts'
import { type Route, route, userOf } from '../../http/route.ts'
import { refreshSession } from './refresh.ts'
import { sessionUser } from './session-user.ts'
import { signIn } from './sign-in.ts'

export const routes: Route[] = [
  route({
    method: 'POST',
    path: '/auth/login',
    summary: 'Sign in',
    answer: sessionUserSchema,
    errors: ['unauthorized'],
    access: 'public',
    body: loginSchema,
    limit: { max: 100, windowSeconds: 300 },
    handle: ({ context, body }) => signIn(context, body),
  }),
  route({
    method: 'POST',
    path: '/auth/refreshToken',
    summary: 'Renew the session',
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
