import { type Route, route } from '../../http/route.ts'

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/ping',
    access: 'public',
    handle: async ({ context }) => context.text('pong'),
  }),
  route({
    method: 'GET',
    path: '/settings',
    access: 'public',
    handle: async ({ services }) => ({
      PLATFORM_TYPE: services.config.platformType,
      canSendMail: services.mail.isConfigured,
    }),
  }),
]
