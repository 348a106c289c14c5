import * as z from 'zod'
import {
  apiKeySchema,
  changedApiKeySchema,
  createApiKeySchema,
  listApiKeysSchema,
  newApiKeySchema,
  updateApiKeySchema,
} from '#contract/apikeys.ts'
import { deletedSchema, listOf } from '#contract/schemas/responses.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { apiKeyActor, apiKeyQuery } from '../../http/session/identity.ts'
import { assertGrantable } from './permissions.ts'
import { createApiKey, deleteApiKey, listApiKeys, updateApiKey } from './store.ts'

const byId = z.object({ id: z.string().max(100) })

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/apikey',
    summary: 'List API keys',
    answer: listOf(apiKeySchema),
    access: { permission: 'apikeys:view' },
    query: listApiKeysSchema,
    handle: ({ services, actor, query }) => listApiKeys(services, memberOf(actor), query),
  }),

  route({
    method: 'POST',
    path: '/apikey',
    summary: 'Create an API key',
    answer: newApiKeySchema,
    access: { permission: 'apikeys:create' },
    body: createApiKeySchema,
    async handle({ services, actor, body }) {
      assertGrantable(body.permissions, { actor, platform: services.config.platformType })
      return createApiKey(services, memberOf(actor), body)
    },
  }),

  route({
    method: 'PUT',
    path: '/apikey/:id',
    summary: 'Update an API key',
    answer: changedApiKeySchema,
    access: { permission: 'apikeys:create,apikeys:update' },
    params: byId,
    body: updateApiKeySchema,
    async handle({ services, actor, params, body }) {
      assertGrantable(body.permissions ?? [], { actor, platform: services.config.platformType })
      return updateApiKey(services, memberOf(actor), { id: params.id, change: body })
    },
  }),

  route({
    method: 'DELETE',
    path: '/apikey/:id',
    summary: 'Delete an API key',
    answer: deletedSchema,
    access: { permission: 'apikeys:delete' },
    params: byId,
    handle: ({ services, actor, params }) => deleteApiKey(services, memberOf(actor), params.id),
  }),

  route({
    method: 'GET',
    path: '/verify/apikey/:key',
    summary: 'Check whether an API key is valid',
    answer: [{ type: 'text/plain' }],
    errors: ['unauthorized'],
    access: 'public',
    params: z.object({ key: z.string().max(200) }),
    limit: { max: 100, windowSeconds: 60 },
    async handle({ services, params, context }) {
      const [row] = await apiKeyQuery(services.db, params.key)
      apiKeyActor(row)
      return context.text('OK')
    },
  }),
]
