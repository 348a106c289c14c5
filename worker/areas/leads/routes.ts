import * as z from 'zod'
import { createLeadSchema, leadSchema, listLeadsSchema } from '#contract/chats/leads.ts'
import { HeddleError } from '#contract/errors.ts'
import { auditExempt } from '../../http/audit.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import {
  allowedTypes,
  assertAllowed,
  flowAccess,
  isKnownCaller,
  mayNameChat,
  readCallableFlow,
  readFlowHead,
} from '../chatflows/index.ts'
import { leaveLead, listLeads } from './store.ts'

export const routes: Route[] = [
  /** Members only: leads are personal data, and a chat id gives access to its conversation. */
  route({
    method: 'GET',
    path: '/leads/:id',
    summary: 'List the leads of a flow',
    answer: z.array(leadSchema),
    access: flowAccess('view'),
    params: z.object({ id: z.uuid('This must be the id of a flow') }),
    query: listLeadsSchema,
    async handle({ params, query, actor, services }) {
      const { type } = await readFlowHead(services, memberOf(actor), params.id)
      assertAllowed(type, allowedTypes(actor, services.config, 'view'))
      return listLeads(services, memberOf(actor), { flowId: params.id, query })
    },
  }),

  route({
    method: 'POST',
    path: '/leads',
    summary: 'Leave a lead',
    audit: auditExempt.caller,
    description: 'For flows that collect contact details. Stores the fields the flow asks for.',
    answer: leadSchema,
    errors: ['bad_request', 'not_found', 'unauthorized', 'forbidden', 'too_large'],
    access: 'public',
    embeddable: true,
    limit: { max: 30, windowSeconds: 60 },
    body: createLeadSchema,
    async handle({ body, services, context }) {
      const flow = await readCallableFlow(context, body.chatflowid)
      if (!(await mayNameChat(context, flow, body.chatId))) throw guessableChat()
      return leaveLead(services, flow, { given: body, isAnonymous: !(await isKnownCaller(context, flow)) })
    },
  }),
]

const guessableChat = () =>
  new HeddleError('bad_request', 'chatId: Send the chatId of an answer, or a random UUID', { field: 'chatId' })
