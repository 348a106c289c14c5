import * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import { predictionSchema } from '#contract/predictions.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { allowedTypes, assertAllowed, flowAccess } from '../chatflows/index.ts'
import { checkCaller, keyHashOf } from './caller.ts'
import { predict } from './predict.ts'

const byId = z.object({ id: z.uuid('This is not the id of a flow') })

export const routes: Route[] = [
  route({
    method: 'POST',
    path: '/prediction/:id',
    access: 'public',
    embeddable: true,
    params: byId,
    body: predictionSchema,
    async handle({ params, body, context }) {
      try {
        return await predict(context, {
          body,
          chatType: 'EXTERNAL',
          query: { flowId: params.id, keyHash: keyHashOf(context) },
          check: (ground) => checkCaller(context, ground),
        })
      } catch (thrown) {
        const text = plainRefusal(thrown, body.streaming)
        if (text === undefined) throw thrown
        return text
      }
    },
  }),

  route({
    method: 'POST',
    path: '/internal-prediction/:id',
    access: flowAccess('view'),
    params: byId,
    body: predictionSchema,
    async handle({ params, body, actor, services, context }) {
      return predict(context, {
        body,
        chatType: 'INTERNAL',
        query: { flowId: params.id, tenant: memberOf(actor) },
        check: ({ flow }) => assertAllowed(flow.type, allowedTypes(actor, services.config, 'view')),
      })
    },
  }),
]

/** Chat widgets show these two refusals as they come, so they are plain text. */
function plainRefusal(thrown: unknown, streaming: boolean): Response | undefined {
  if (!(thrown instanceof HeddleError)) return undefined
  if (thrown.code === 'rate_limited') {
    const headers = { 'Retry-After': String(thrown.details.retryAfterSeconds) }
    return new Response(thrown.message, { status: 429, headers })
  }
  return thrown.code === 'forbidden' && streaming ? new Response(thrown.message, { status: 403 }) : undefined
}
