import * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import { rotateSecretSchema } from '#contract/triggers/index.ts'
import { WEBHOOK_METHODS } from '#contract/triggers/settings.ts'
import { memberOf, type Route, type RouteInput, route } from '../../../http/route.ts'
import { allowedTypes, flowAccess } from '../../chatflows/index.ts'
import { findDelivery, outcomeOf } from './outcome.ts'
import { receiveWebhook } from './receive.ts'
import { type Place, removeSecret, rotateSecret } from './secrets.ts'

const byId = z.object({ id: z.string().max(100) })

/** As large as the largest limit that a webhook can have. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

/** Every method is taken here, to be refused with words by the webhook that wants another one. */
const receiving = WEBHOOK_METHODS.map((method) =>
  route({
    method,
    path: '/webhook/:id',
    access: 'public',
    embeddable: true,
    maxBodyBytes: MAX_BODY_BYTES,
    params: byId,
    handle: async ({ params, context }) => receiveWebhook(context, params.id),
  }),
)

type MemberInput = Pick<RouteInput<unknown, unknown, { id: string }>, 'params' | 'actor' | 'services'>

const placeOf = ({ params, actor, services }: MemberInput): Place => ({
  tenant: memberOf(actor),
  address: params.id,
  allowed: allowedTypes(actor, services.config, 'update'),
})

export const webhookRoutes: Route[] = [
  ...receiving,

  route({
    method: 'GET',
    path: '/webhook/:id/deliveries/:deliveryId',
    access: 'public',
    embeddable: true,
    params: byId.extend({ deliveryId: z.string().max(100) }),
    async handle({ params, services }) {
      const { id: address, deliveryId } = params
      const delivery = await findDelivery(services, { address, deliveryId })
      if (!delivery) throw new HeddleError('not_found', 'There is no such delivery at this address')
      return { deliveryId, ...(await outcomeOf(services, delivery)) }
    },
  }),

  route({
    method: 'POST',
    path: '/triggers/:id/secret',
    access: flowAccess('update'),
    params: byId,
    body: rotateSecretSchema,
    handle: async (input) => rotateSecret(input.services, placeOf(input), input.body),
  }),

  route({
    method: 'DELETE',
    path: '/triggers/:id/secret',
    access: flowAccess('update'),
    params: byId,
    async handle(input) {
      await removeSecret(input.services, placeOf(input))
      return new Response(null, { status: 204 })
    },
  }),

  route({
    method: 'POST',
    path: '/chatflows/:id/webhook-secret',
    access: flowAccess('update'),
    params: byId,
    body: rotateSecretSchema,
    async handle(input) {
      const { secret } = await rotateSecret(input.services, placeOf(input), input.body)
      return { webhookSecret: secret }
    },
  }),

  route({
    method: 'DELETE',
    path: '/chatflows/:id/webhook-secret',
    access: flowAccess('update'),
    params: byId,
    async handle(input) {
      await removeSecret(input.services, placeOf(input))
      return new Response(null, { status: 204 })
    },
  }),
]
