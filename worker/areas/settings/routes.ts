import { settingsSchema, versionSchema } from '#contract/settings/settings.ts'
import { VERSION } from '#contract/version.ts'
import { canSendEmail } from '../../emails/queue.ts'
import { anonymousCallsPerMinute } from '../../http/rate-limit.ts'
import { type Route, route } from '../../http/route.ts'

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/ping',
    summary: 'Check that the server is running',
    answer: [{ type: 'text/plain' }],
    access: 'public',
    handle: async ({ context }) => context.text('pong'),
  }),
  route({
    method: 'GET',
    path: '/version',
    summary: 'Get the version of the product',
    answer: versionSchema,
    access: 'public',
    handle: async () => ({ version: VERSION }),
  }),
  route({
    method: 'GET',
    path: '/settings',
    summary: 'Get the deployment settings',
    answer: settingsSchema,
    access: 'public',
    handle: async ({ services }) => ({
      PLATFORM_TYPE: services.config.platformType,
      hasMailService: services.mail.isConfigured,
      canSendEmail: canSendEmail(services),
      anonymousCallsPerMinute: anonymousCallsPerMinute(services.config),
    }),
  }),
]
