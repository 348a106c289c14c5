import type { Route } from '../../http/route.ts'
import { webhookRoutes } from './webhook/routes.ts'

export const routes: Route[] = [...webhookRoutes]
