import { HeddleError } from '#contract/errors.ts'
import { healthSchema, readinessSchema } from '#contract/health/health.ts'
import { type Route, route } from '../../http/route.ts'
import { sameText } from '../../http/session/secrets.ts'
import { checkReadiness } from './readiness.ts'

const OPENMETRICS = 'application/openmetrics-text'

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/health',
    summary: 'Check that the server answers',
    description: 'Asks neither the database nor the file storage. Use `/ready` to learn whether the server can work.',
    answer: healthSchema,
    access: 'public',
    async handle({ services, context }) {
      const { backups } = await services.machine.read()
      if (!backups) return { status: 'ok' as const }
      const { metricsToken: token } = services.config
      const { lastDate, missed } = backups
      const maySeeDate = !token || isOperator(token, context.req.header('authorization'))
      return { status: 'ok' as const, backups: { missed, ...(maySeeDate && { lastDate }) } }
    },
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
    answer: [{ type: OPENMETRICS, description: 'OpenMetrics 1.0' }],
    errors: ['unauthorized', 'not_found'],
    access: 'public',
    async handle({ services, context }) {
      assertOperator(services.config.metricsToken, context.req.header('authorization'))
      const { describeMetrics } = await import('./metrics.ts')
      const type = `${OPENMETRICS}; version=1.0.0; charset=utf-8`
      return context.body(await describeMetrics(services), 200, { 'Content-Type': type, 'Cache-Control': 'no-store' })
    },
  }),
]

/** Throws `not_found` where no token is set, as for any other path, and `unauthorized` without the right one. */
function assertOperator(token: string | undefined, authorization?: string): void {
  if (!token) throw new HeddleError('not_found', 'Not found')
  if (!isOperator(token, authorization)) throw new HeddleError('unauthorized', 'Send METRICS_TOKEN as Bearer token')
}

const isOperator = (token: string, authorization = '') => sameText(authorization, `Bearer ${token}`)
