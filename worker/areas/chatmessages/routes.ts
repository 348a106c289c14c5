import * as z from 'zod'
import {
  chatSessionSchema,
  deleteChatSessionsSchema,
  exportedSessionSchema,
  exportMessagesSchema,
  listChatSessionsSchema,
} from '#contract/chats/chat-sessions.ts'
import {
  abortedSchema,
  deleteMessagesSchema,
  listMessagesSchema,
  storedMessageSchema,
} from '#contract/chats/chatmessages.ts'
import { errorReport, HeddleError } from '#contract/errors.ts'
import { deletedSchema, pageOf } from '#contract/schemas/responses.ts'
import { auditExempt } from '../../http/audit.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { OPENS_WITHIN_MS } from '../../runs/records/run-record.ts'
import { requestCancellation } from '../../runs/running.ts'
import {
  allowedTypes,
  assertAllowed,
  flowAccess,
  mayNameChat,
  readCallableFlow,
  readFlowHead,
} from '../chatflows/index.ts'
import { exportMessages } from './export.ts'
import { deleteSessions, listSessions } from './sessions.ts'
import { deleteMessages, listMessages, terminateChat } from './store.ts'

const byId = z.object({ id: z.string().max(100) })

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/chatmessage/:id',
    summary: 'List the messages of a flow',
    answer: z.array(storedMessageSchema),
    access: flowAccess('view'),
    params: byId,
    query: listMessagesSchema,
    async handle({ params, query, actor, services }) {
      const { type } = await readFlowHead(services, memberOf(actor), params.id)
      assertAllowed(type, allowedTypes(actor, services.config, 'view'))
      return listMessages(services.db, memberOf(actor), { flowId: params.id, query })
    },
  }),

  route({
    method: 'GET',
    path: '/internal-chatmessage/:id',
    summary: 'List the test messages of a flow',
    answer: z.array(storedMessageSchema),
    access: flowAccess('view'),
    params: byId,
    query: listMessagesSchema,
    async handle({ params, query, actor, services }) {
      const { type } = await readFlowHead(services, memberOf(actor), params.id)
      assertAllowed(type, allowedTypes(actor, services.config, 'view'))
      const internal = { ...query, chatType: ['INTERNAL' as const] }
      return listMessages(services.db, memberOf(actor), { flowId: params.id, query: internal })
    },
  }),

  /** Callers with view permission alone can clear one test chat; anything else needs update or delete permission. */
  route({
    method: 'DELETE',
    path: '/chatmessage/:id',
    summary: 'Delete messages of a flow',
    audit: auditExempt.content,
    answer: deletedSchema,
    access: flowAccess('view', 'update', 'delete'),
    params: byId,
    query: deleteMessagesSchema,
    async handle({ params, query, actor, services }) {
      const { type } = await readFlowHead(services, memberOf(actor), params.id)
      const may = (...verbs: ('view' | 'update' | 'delete')[]) =>
        allowedTypes(actor, services.config, ...verbs).includes(type)
      if (may('update', 'delete')) {
        return deleteMessages(services.db, memberOf(actor), { flowId: params.id, query })
      }
      assertAllowed(type, allowedTypes(actor, services.config, 'view'))
      if (!query.chatId)
        throw new HeddleError('forbidden', 'You can only clear one test chat at a time. Send its chatId')
      const own = { ...query, chatType: ['INTERNAL' as const] }
      return deleteMessages(services.db, memberOf(actor), { flowId: params.id, query: own })
    },
  }),

  route({
    method: 'GET',
    path: '/chatmessage/:id/sessions',
    summary: 'List the sessions of a flow',
    description: 'Newest first. Includes each session with a message that matches the filters.',
    answer: pageOf(chatSessionSchema),
    access: flowAccess('view'),
    params: byId,
    query: listChatSessionsSchema,
    async handle({ params, query, actor, services }) {
      const { type } = await readFlowHead(services, memberOf(actor), params.id)
      assertAllowed(type, allowedTypes(actor, services.config, 'view'))
      return listSessions(services.db, memberOf(actor), { flowId: params.id, query })
    },
  }),

  route({
    method: 'DELETE',
    path: '/chatmessage/:id/sessions',
    summary: 'Delete the sessions of a flow',
    audit: auditExempt.content,
    description: 'Deletes each session that contains a message matching the filters.',
    answer: deletedSchema,
    access: flowAccess('update', 'delete'),
    params: byId,
    query: deleteChatSessionsSchema,
    async handle({ params, query, actor, services }) {
      const { type } = await readFlowHead(services, memberOf(actor), params.id)
      assertAllowed(type, allowedTypes(actor, services.config, 'update', 'delete'))
      return deleteSessions(services.db, memberOf(actor), { flowId: params.id, query })
    },
  }),

  route({
    method: 'POST',
    path: '/export-import/chatflow-messages',
    summary: 'Export the messages of a flow',
    audit: auditExempt.read,
    answer: [
      { schema: z.array(exportedSessionSchema), description: 'The sessions with their messages, oldest first' },
      { type: 'text/csv', description: 'With `format` csv: one line per message' },
    ],
    errors: ['not_found'],
    access: { permission: 'workspace:export' },
    body: exportMessagesSchema,
    async handle({ body, actor, services }) {
      await readFlowHead(services, memberOf(actor), body.chatflowId)
      return exportMessages(services.db, memberOf(actor), body)
    },
  }),

  /** Whoever may call the flow may stop the chats whose ids they know. */
  route({
    method: 'PUT',
    path: '/chatmessage/abort/:id/:chatId',
    summary: 'Stop the runs of a chat',
    audit: auditExempt.run,
    answer: abortedSchema,
    errors: ['unauthorized', 'forbidden'],
    access: 'public',
    embeddable: true,
    limit: { max: 120, windowSeconds: 60 },
    params: byId.extend({ chatId: z.string().max(200) }),
    async handle({ params, services, context }) {
      const flow = await readCallableFlow(context, params.id)
      const answer = { status: 200, message: 'Chat message aborted' }
      if (!(await mayNameChat(context, flow, params.chatId))) return answer
      const chat = { flowId: params.id, chatId: params.chatId }
      const isHere = requestCancellation(chat)
      const isFound = await terminateChat(services, chat)
      if (!isHere && !isFound) {
        // A run in another isolate may not be stored yet.
        const stored = services.clock.sleep(OPENS_WITHIN_MS)
        context.executionCtx.waitUntil(stored.then(() => terminateChat(services, chat)).catch(report))
      }
      return answer
    },
  }),
]

const report = (error: unknown) => console.error('a run could not be stopped:', errorReport(error))
