import * as z from 'zod'
import { statsQuerySchema, statsSchema } from '#contract/stats/stats.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { allowedTypes, assertAllowed, flowAccess, readFlowHead } from '../chatflows/index.ts'
import { countMessages } from '../chatmessages/index.ts'

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/stats/:id',
    summary: 'Count the messages, sessions and ratings of a flow',
    answer: statsSchema,
    access: flowAccess('view'),
    params: z.object({ id: z.string().max(100) }),
    query: statsQuerySchema,
    async handle({ params, query, actor, services }) {
      const { type } = await readFlowHead(services, memberOf(actor), params.id)
      assertAllowed(type, allowedTypes(actor, services.config, 'view'))
      return countMessages(services.db, memberOf(actor), { flowId: params.id, query })
    },
  }),
]
