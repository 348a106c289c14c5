import * as z from 'zod'
import {
  apiKeySchema,
  changedApiKeySchema,
  createApiKeySchema,
  newApiKeySchema,
  updateApiKeySchema,
} from '#contract/apikeys/apikeys.ts'
import { pageSchema } from '#contract/schemas/page.ts'
import { listOf } from '#contract/schemas/responses.ts'
import { crudRoutes } from '../../http/crud-routes.ts'
import { type Route, route } from '../../http/route.ts'
import { apiKeyActor, apiKeyQuery } from '../../http/session/identity.ts'
import { createApiKey, deleteApiKey, listApiKeys, updateApiKey } from './store.ts'

export const routes: Route[] = [
  ...crudRoutes({
    path: '/apikey',
    permission: 'apikeys',
    names: ['an API key', 'API keys'],
    audited: 'api-key',
    confirmed: true,
    list: { query: pageSchema, answer: listOf(apiKeySchema), handle: listApiKeys },
    create: { body: createApiKeySchema, answer: newApiKeySchema, handle: createApiKey },
    update: { body: updateApiKeySchema, answer: changedApiKeySchema, handle: updateApiKey },
    delete: deleteApiKey,
  }),

  route({
    method: 'GET',
    path: '/verify/apikey/:key',
    summary: 'Check whether an API key is valid',
    deprecated: true,
    description:
      'A key in an address stays in the logs of proxies. Call `GET /apikey`, `GET /chatflows` or what you need the key for with `Authorization: Bearer <key>`: 401 means that the key is not valid.',
    answer: [{ type: 'text/plain' }],
    errors: ['unauthorized'],
    access: 'public',
    params: z.object({ key: z.string().max(200) }),
    limit: { max: 100, windowSeconds: 60 },
    async handle({ services, params, context }) {
      const [row] = await apiKeyQuery(services.db, params.key)
      apiKeyActor(row, services.clock.now())
      return context.text('OK')
    },
  }),
]
