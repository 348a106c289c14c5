import { healthSchema, readinessSchema } from '#contract/health/health.ts'
import { type Route, route } from '../../http/route.ts'
import { checkReadiness } from './readiness.ts'

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/health',
    summary: 'Check that the server answers',
    description: 'Asks nothing else. Use `/ready` to learn whether the server can work.',
    answer: healthSchema,
    access: 'public',
    handle: async () => ({ status: 'ok' as const }),
  }),
  route({
    method: 'GET',
    path: '/ready',
    summary: 'Check that the server can work',
    description: 'Asks the database, compares its migrations with those of this version, and asks the file storage.',
    answer: [
      { schema: readinessSchema },
      { status: 503, schema: readinessSchema, description: 'Something fails; `problems` says what' },
    ],
    access: 'public',
    async handle({ services, context }) {
      const readiness = await checkReadiness(services)
      return context.json(readiness, readiness.ready ? 200 : 503, { 'Cache-Control': 'no-store' })
    },
  }),
]
