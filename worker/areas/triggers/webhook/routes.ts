import * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import { predictionAnswerSchema } from '#contract/predictions.ts'
import {
  callbackOutcomeSchema,
  handshakeSchema,
  newSecretSchema,
  newWebhookSecretSchema,
  processingSchema,
  rotateSecretSchema,
} from '#contract/triggers/index.ts'
import { WEBHOOK_METHODS } from '#contract/triggers/settings.ts'
import { type Answer, memberOf, noContent, type Route, type RouteInput, route } from '../../../http/route.ts'
import { allowedTypes, flowAccess } from '../../chatflows/index.ts'
import { deliveryStatusOf, findDelivery } from './delivery-status.ts'
import { receiveWebhook } from './receive-webhook.ts'
import { type Place, removeSecret, rotateSecret } from './secrets.ts'

const byId = z.object({ id: z.string().max(100) })

/** As large as the largest limit that a webhook can have. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

const received: readonly Answer[] = [
  {
    schema: z.union([predictionAnswerSchema, handshakeSchema]),
    description: 'The run has ended, or waits for a person',
  },
  { type: 'text/event-stream', description: 'What the run says while it goes, each event as JSON' },
  { status: 202, schema: processingSchema, description: 'The run is started, and nobody waits for it' },
]

/** Every method is taken here, to be refused with words by the webhook that wants another one. */
const receiving = WEBHOOK_METHODS.map((method) =>
  route({
    method,
    path: '/webhook/:id',
    summary: 'Send a request to a webhook',
    description:
      'The webhook is set to one of these methods, to a content type and to a signature; what it answers with 200 or 202 depends on its response mode.',
    bodyTypes: ['*/*'],
    answer: received,
    errors: ['unauthorized', 'wrong_method', 'conflict', 'too_large', 'wrong_type', 'rate_limited', 'run_failed'],
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
    summary: 'Tell what became of a delivery',
    answer: callbackOutcomeSchema,
    access: 'public',
    embeddable: true,
    params: byId.extend({ deliveryId: z.string().max(100) }),
    async handle({ params, services }) {
      const { id: address, deliveryId } = params
      const delivery = await findDelivery(services, { address, deliveryId })
      if (!delivery) throw new HeddleError('not_found', 'There is no such delivery at this address')
      return { deliveryId, ...(await deliveryStatusOf(services, delivery)) }
    },
  }),

  route({
    method: 'POST',
    path: '/triggers/:id/secret',
    summary: 'Make a new secret',
    answer: newSecretSchema,
    errors: ['conflict'],
    access: flowAccess('update'),
    params: byId,
    body: rotateSecretSchema,
    handle: async (input) => rotateSecret(input.services, placeOf(input), input.body),
  }),

  route({
    method: 'DELETE',
    path: '/triggers/:id/secret',
    summary: 'Remove the secret',
    answer: noContent,
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
    summary: 'Make a new secret for the webhook of a flow',
    answer: newWebhookSecretSchema,
    errors: ['conflict'],
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
    summary: 'Remove the secret of the webhook of a flow',
    answer: noContent,
    access: flowAccess('update'),
    params: byId,
    async handle(input) {
      await removeSecret(input.services, placeOf(input))
      return new Response(null, { status: 204 })
    },
  }),
]
