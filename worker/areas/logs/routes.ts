import { failurePageSchema, listFailuresSchema } from '#contract/organization/records.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { listFailures } from './store.ts'

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/logs',
    summary: 'List the requests of the workspace that failed',
    description: 'Every failed response has an X-Request-Id. Use it to find the failure here for 14 days.',
    answer: failurePageSchema,
    access: { permission: 'logs:view', feature: 'feat:logs' },
    query: listFailuresSchema,
    async handle({ query, actor, services }) {
      return listFailures(services.db, memberOf(actor), query)
    },
  }),
]
