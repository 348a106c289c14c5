import { settingsSchema } from '#contract/settings.ts'
import { type Route, route } from '../../http/route.ts'

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/ping',
    summary: 'Tell that somebody is here',
    answer: [{ type: 'text/plain' }],
    access: 'public',
    handle: async ({ context }) => context.text('pong'),
  }),
  route({
    method: 'GET',
    path: '/settings',
    summary: 'Read how the product is deployed',
    answer: settingsSchema,
    access: 'public',
    handle: async ({ services }) => ({
      PLATFORM_TYPE: services.config.platformType,
      canSendMail: services.mail.isConfigured,
    }),
  }),
]
