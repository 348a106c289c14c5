import * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import { createFeedbackSchema, feedbackSchema, listFeedbackSchema, updateFeedbackSchema } from '#contract/feedback.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { allowedTypes, assertAllowed, flowAccess, readFlowHead } from '../chatflows/index.ts'
import { changeFeedback, giveFeedback, listFeedback } from './store.ts'

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
    answer: feedbackSchema,
    errors: ['not_found'],
    access: 'public',
    embeddable: true,
    limit,
    body: createFeedbackSchema,
    handle: ({ body, services }) => giveFeedback(services, body),
  }),

  route({
    method: 'POST',
    path: '/feedback/:id',
    summary: 'Rate an answer of a flow',
    answer: feedbackSchema,
    errors: ['not_found'],
    access: 'public',
    embeddable: true,
    limit,
    params: byId,
    body: createFeedbackSchema,
    async handle({ params, body, services }) {
      if (body.chatflowid === params.id) return giveFeedback(services, body)
      throw new HeddleError('bad_request', 'chatflowid: This must be the flow in the path', { field: 'chatflowid' })
    },
  }),

  route({
    method: 'PUT',
    path: '/feedback/:id',
    summary: 'Change a rating',
    answer: feedbackSchema,
    access: 'public',
    embeddable: true,
    limit,
    params: byId,
    body: updateFeedbackSchema,
    handle: ({ params, body, services }) => changeFeedback(services, { id: params.id, change: body }),
  }),
]
