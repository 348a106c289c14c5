import * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import { predictionAnswerSchema } from '#contract/predictions/predictions.ts'
import {
  deliveryStatusAnswerSchema,
  handshakeSchema,
  newSecretSchema,
  newWebhookSecretSchema,
  processingSchema,
  rotateSecretSchema,
} from '#contract/triggers/index.ts'
import { WEBHOOK_METHODS } from '#contract/triggers/settings.ts'
import { auditExempt } from '../../../http/audit.ts'
import { type Answer, memberOf, noContent, type Route, type RouteInput, route } from '../../../http/route.ts'
import { allowedTypes, flowAccess } from '../../chatflows/index.ts'
import { findDelivery, readDeliveryStatus } from './delivery-status.ts'
import { assertReceives, receiveWebhook } from './receive-webhook.ts'
import { removeSecret, rotateSecret, type SecretTarget } from './secrets.ts'

const byId = z.object({ id: z.string().max(100) })

/** The largest limit that a webhook can have. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

const received: readonly Answer[] = [
  {
    schema: z.union([predictionAnswerSchema, handshakeSchema]),
    description: 'The run has ended or waits for a person',
  },
  { type: 'text/event-stream', description: 'The events of the run, each as JSON' },
  { status: 202, schema: processingSchema, description: 'The run continues in the background' },
]

/** One route per method, so that a webhook can refuse the wrong ones with a helpful message. */
const receiving = WEBHOOK_METHODS.map((method) =>
  route({
    method,
    path: '/webhook/:id',
    summary: 'Send a request to a webhook',
    audit: auditExempt.run,
    description:
      'Each webhook accepts one method, content type and signature scheme. Its response mode decides between 200 and 202.',
    bodyTypes: ['*/*'],
    answer: received,
    errors: [
      'unauthorized',
      'forbidden',
      'wrong_method',
      'conflict',
      'too_large',
      'wrong_type',
      'rate_limited',
      'run_failed',
    ],
    access: 'public',
    embeddable: true,
    // Senders such as GitHub deliver the events of everybody from few addresses.
    limit: { max: 1200, windowSeconds: 60, isOfIsolate: true },
    maxBodyBytes: MAX_BODY_BYTES,
    beforeLargeBody: assertReceives,
    params: byId,
    handle: async ({ params, context }) => receiveWebhook(context, params.id),
  }),
)

type MemberInput = Pick<RouteInput<unknown, unknown, { id: string }>, 'params' | 'actor' | 'services'>

const targetOf = ({ params, actor, services }: MemberInput): SecretTarget => ({
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
    answer: deliveryStatusAnswerSchema,
    access: 'public',
    embeddable: true,
    params: byId.extend({ deliveryId: z.string().max(100) }),
    async handle({ params, services }) {
      const { id: address, deliveryId } = params
      const delivery = await findDelivery(services, { address, deliveryId })
      if (!delivery) throw new HeddleError('not_found', 'Delivery not found')
      return { deliveryId, ...(await readDeliveryStatus(services, delivery)) }
    },
  }),

  route({
    method: 'POST',
    path: '/triggers/:id/secret',
    summary: 'Rotate the secret of a trigger',
    audit: auditExempt.content,
    confirmed: true,
    answer: newSecretSchema,
    errors: ['conflict'],
    access: flowAccess('update'),
    params: byId,
    body: rotateSecretSchema,
    handle: async (input) => rotateSecret(input.services, targetOf(input), input.body),
  }),

  route({
    method: 'DELETE',
    path: '/triggers/:id/secret',
    summary: 'Remove the secret of a trigger',
    audit: auditExempt.content,
    confirmed: true,
    answer: noContent,
    access: flowAccess('update'),
    params: byId,
    async handle(input) {
      await removeSecret(input.services, targetOf(input))
      return new Response(null, { status: 204 })
    },
  }),

  route({
    method: 'POST',
    path: '/chatflows/:id/webhook-secret',
    summary: 'Rotate the webhook secret of a flow',
    audit: auditExempt.content,
    confirmed: true,
    answer: newWebhookSecretSchema,
    errors: ['conflict'],
    access: flowAccess('update'),
    params: byId,
    body: rotateSecretSchema,
    async handle(input) {
      const { secret } = await rotateSecret(input.services, targetOf(input), input.body)
      return { webhookSecret: secret }
    },
  }),

  route({
    method: 'DELETE',
    path: '/chatflows/:id/webhook-secret',
    summary: 'Remove the webhook secret of a flow',
    audit: auditExempt.content,
    confirmed: true,
    answer: noContent,
    access: flowAccess('update'),
    params: byId,
    async handle(input) {
      await removeSecret(input.services, targetOf(input))
      return new Response(null, { status: 204 })
    },
  }),
]
