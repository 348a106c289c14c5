import * as z from 'zod'
import {
  createFeedbackSchema,
  feedbackSchema,
  listFeedbackSchema,
  updateFeedbackSchema,
} from '#contract/chats/feedback.ts'
import { HeddleError } from '#contract/errors.ts'
import { auditExempt } from '../../http/audit.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { allowedTypes, assertAllowed, flowAccess, readCallableFlow, readFlowHead } from '../chatflows/index.ts'
import { changeFeedback, flowOfFeedback, giveFeedback, listFeedback } from './store.ts'

const byId = z.object({ id: z.uuid('This is not an id') })
const limit = { max: 60, windowSeconds: 60 }

export const routes: Route[] = [
  /** Members only: the answer contains chat ids, and a chat id gives access to its conversation. */
  route({
    method: 'GET',
    path: '/feedback/:id',
    summary: 'List the feedback on a flow',
    answer: z.array(feedbackSchema),
    access: flowAccess('view'),
    params: byId,
    query: listFeedbackSchema,
    async handle({ params, query, actor, services }) {
      const { type } = await readFlowHead(services, memberOf(actor), params.id)
      assertAllowed(type, allowedTypes(actor, services.config, 'view'))
      return listFeedback(services, memberOf(actor), { flowId: params.id, query })
    },
  }),

  route({
    method: 'POST',
    path: '/feedback',
    summary: 'Rate an answer',
    audit: auditExempt.caller,
    answer: feedbackSchema,
    errors: ['not_found', 'unauthorized', 'forbidden'],
    access: 'public',
    embeddable: true,
    limit,
    body: createFeedbackSchema,
    async handle({ body, services, context }) {
      await readCallableFlow(context, body.chatflowid)
      return giveFeedback(services, body)
    },
  }),

  route({
    method: 'POST',
    path: '/feedback/:id',
    summary: 'Rate an answer of a flow',
    audit: auditExempt.caller,
    answer: feedbackSchema,
    errors: ['not_found', 'unauthorized', 'forbidden'],
    access: 'public',
    embeddable: true,
    limit,
    params: byId,
    body: createFeedbackSchema,
    async handle({ params, body, services, context }) {
      if (body.chatflowid !== params.id) {
        throw new HeddleError('bad_request', 'chatflowid: This must be the flow in the path', { field: 'chatflowid' })
      }
      await readCallableFlow(context, params.id)
      return giveFeedback(services, body)
    },
  }),

  route({
    method: 'PUT',
    path: '/feedback/:id',
    summary: 'Change a rating',
    audit: auditExempt.caller,
    answer: feedbackSchema,
    errors: ['unauthorized', 'forbidden'],
    access: 'public',
    embeddable: true,
    limit,
    params: byId,
    body: updateFeedbackSchema,
    async handle({ params, body, services, context }) {
      await readCallableFlow(context, await flowOfFeedback(services, params.id))
      return changeFeedback(services, { id: params.id, change: body })
    },
  }),
]
