import type { Route } from '../../http/route.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { flowScheduleRoutes } from './flow-schedule-routes.ts'
import { triggerRoutes } from './trigger-routes.ts'
import { webhookRoutes } from './webhook/routes.ts'

export const routes: Route[] = [...triggerRoutes, ...deliveryRoutes, ...flowScheduleRoutes, ...webhookRoutes]
