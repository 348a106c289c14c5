/** What there is at OpenAI, at Azure or on a compatible server. */
import * as z from 'zod'
import { findProviderAssistantsSchema, providerAssistantSchema } from '#contract/assistants/provider-assistants.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { openProvider } from './provider.ts'
import { providerFileRoutes } from './provider-file-routes.ts'

const access = { permission: 'assistants:create,assistants:update' }

export const providerRoutes: Route[] = [
  ...providerFileRoutes,
  route({
    method: 'GET',
    path: '/openai-assistants',
    summary: 'List the assistants at a provider',
    answer: z.array(providerAssistantSchema),
    errors: ['unprocessable'],
    access,
    query: findProviderAssistantsSchema,
    async handle({ query, actor, services }) {
      return (await openProvider(services, memberOf(actor), query)).list()
    },
  }),

  route({
    method: 'GET',
    path: '/openai-assistants/:id',
    summary: 'Get an assistant from its provider',
    answer: providerAssistantSchema,
    errors: ['unprocessable'],
    access,
    params: z.object({ id: z.string().max(200) }),
    query: findProviderAssistantsSchema,
    async handle({ params, query, actor, services }) {
      return (await openProvider(services, memberOf(actor), query)).read(params.id)
    },
  }),
]
