import { HeddleError } from '#contract/errors.ts'
import { healthSchema, readinessSchema } from '#contract/health/health.ts'
import { type Route, route } from '../../http/route.ts'
import { sameText } from '../../http/session/secrets.ts'
import { OPENMETRICS_TYPE } from '../../ports/metrics/openmetrics.ts'
import { describeMetrics } from './metrics.ts'
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
  route({
    method: 'GET',
    path: '/metrics',
    summary: 'Get metrics',
    description: 'For the operator, with `METRICS_TOKEN` as Bearer token. Not found where none is set.',
    answer: [{ type: OPENMETRICS_TYPE.split(';')[0] as string, description: 'OpenMetrics 1.0' }],
    errors: ['unauthorized', 'not_found'],
    access: 'public',
    async handle({ services, context }) {
      assertOperator(services.config.metricsToken, context.req.header('authorization'))
      const text = await describeMetrics(services)
      return context.body(text, 200, { 'Content-Type': OPENMETRICS_TYPE, 'Cache-Control': 'no-store' })
    },
  }),
]

/** Throws `not_found` where no token is set, as for any other path, and `unauthorized` without the right one. */
function assertOperator(token: string | undefined, authorization = ''): void {
  if (!token) throw new HeddleError('not_found', 'Not found')
  if (!sameText(authorization, `Bearer ${token}`))
    throw new HeddleError('unauthorized', 'Send METRICS_TOKEN as Bearer token')
}
