import { homeSchema } from '#contract/home/home.ts'
import { mayUse } from '../../http/permission.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { memberStanding } from '../../http/standing.ts'
import { allowedTypes } from '../chatflows/index.ts'
import { readHome } from './read-home.ts'

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/home',
    summary: 'Read what the home page shows',
    description: 'Omits items the user has no permission to view.',
    answer: homeSchema,
    access: 'signed-in',
    async handle({ actor, services }) {
      const { platformType } = services.config
      return readHome(services.db, memberOf(actor), {
        types: allowedTypes(actor, services.config, 'view', 'update'),
        runs: mayUse({ permission: 'executions:view' }, actor, platformType),
        standing: memberStanding(memberOf(actor)),
      })
    },
  }),
]
