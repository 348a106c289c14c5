/** Calls that connect OAuth 2 credentials, in Flowise's shape. */
import { authorizationSchema, oauthCallbackSchema, refreshedSchema } from '#contract/credentials/credentials.ts'
import { auditExempt } from '../../http/audit.ts'
import { byId } from '../../http/crud-routes.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { authorizeCredential, CALLBACK, MAY_CONNECT, receiveCallback, refreshCredential } from './oauth.ts'

export const oauthRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/oauth2-credential/authorize/:id',
    summary: 'Start connecting a credential with its provider',
    audit: auditExempt.content,
    description:
      'For browsers: the provider must redirect back to the same browser. Single use, valid for ten minutes.',
    answer: authorizationSchema,
    errors: ['conflict', 'bad_request'],
    access: { permission: MAY_CONNECT },
    limit: { max: 60, windowSeconds: 600 },
    params: byId,
    handle: ({ actor, params, context }) => authorizeCredential(context, actor, params.id),
  }),

  route({
    method: 'GET',
    path: CALLBACK,
    summary: 'Finish connecting a credential',
    description: 'Redirect URL for the provider. The page notifies its opener and closes.',
    answer: [
      { type: 'text/html', description: 'The credential is connected' },
      { status: 400, type: 'text/html', description: 'The connection failed; the page says why' },
    ],
    access: 'public',
    limit: { max: 120, windowSeconds: 600 },
    query: oauthCallbackSchema,
    handle: ({ context, query }) => receiveCallback(context, query),
  }),

  route({
    method: 'POST',
    path: '/oauth2-credential/refresh/:id',
    summary: 'Refresh the token of a connected credential',
    audit: auditExempt.content,
    answer: refreshedSchema,
    errors: ['conflict', 'bad_request'],
    access: { permission: MAY_CONNECT },
    limit: { max: 60, windowSeconds: 600 },
    params: byId,
    handle: ({ services, actor, params }) => refreshCredential(services, memberOf(actor), params.id),
  }),
]
