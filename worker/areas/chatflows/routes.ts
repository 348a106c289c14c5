import * as z from 'zod'
import {
  chatflowSchema,
  checklistSchema,
  hasChangedSchema,
  isStreamingSchema,
  listFlowsSchema,
  overridableInputSchema,
  parseFlowData,
  publicChatbotConfigSchema,
  sharedFlowSchema,
  uploadsAllowedSchema,
} from '#contract/chatflows/chatflows.ts'
import { flowListSchema, listFlowItemsSchema } from '#contract/chatflows/flow-summary.ts'
import { HeddleError } from '#contract/errors.ts'
import { parseFlow } from '#contract/flow/document/parse.ts'
import { kindOf } from '#contract/flow/kinds/index.ts'
import { componentDefinitionSchema } from '#contract/flow/params/definition.ts'
import { listOf } from '#contract/schemas/responses.ts'
import { readOwnIds } from '../../components/own-tools.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { apiKeyActor, apiKeyQuery } from '../../http/session/identity.ts'
import { allowedTypes, assertAllowed, flowAccess } from './access.ts'
import { checklist } from './checklist.ts'
import { secretRoutes } from './conversation-secret.ts'
import { flowComponents } from './flow-components.ts'
import { flowConfig } from './flow-config.ts'
import { listFlowItems, listFlows, listFlowsOfKey } from './list-flows.ts'
import { canStream, findPublicFlow, publicChatbotConfig, readPublicFlow, readSharedFlow, uploadsOf } from './public.ts'
import { readFlow, readFlowHead } from './store.ts'
import { versionRoutes } from './version-routes.ts'

const byId = z.object({ id: z.string().max(100) })

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/chatflows',
    summary: 'List flows',
    answer: listOf(chatflowSchema),
    access: flowAccess('view', 'update'),
    query: listFlowsSchema,
    async handle({ query, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'view', 'update')
      return listFlows(services, memberOf(actor), { ...query, allowed })
    },
  }),

  route({
    method: 'GET',
    path: '/chatflows-list',
    summary: 'List flows without their nodes and settings',
    answer: flowListSchema,
    access: flowAccess('view', 'update'),
    query: listFlowItemsSchema,
    async handle({ query, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'view', 'update')
      return listFlowItems(services, memberOf(actor), { ...query, allowed })
    },
  }),

  route({
    method: 'GET',
    path: '/chatflows/has-changed/:id/:date',
    summary: 'Check whether a flow was saved since a date',
    answer: hasChangedSchema,
    access: flowAccess('view', 'update'),
    params: byId.extend({ date: z.iso.datetime({ offset: true, error: 'This must be an ISO date' }).max(40) }),
    async handle({ params, actor, services }) {
      const row = await readFlowHead(services, memberOf(actor), params.id)
      return { hasChanged: Date.parse(row.updatedDate) !== Date.parse(params.date) }
    },
  }),

  /** The key in the path has the same permissions as in a header. */
  route({
    method: 'GET',
    path: '/chatflows/apikey/:key',
    summary: 'List the flows that an API key can call',
    deprecated: true,
    description:
      'A key in an address stays in the logs of proxies. Call `GET /chatflows` with `Authorization: Bearer <key>`.',
    answer: z.array(chatflowSchema),
    errors: ['unauthorized', 'forbidden'],
    access: 'public',
    limit: { max: 100, windowSeconds: 60 },
    params: z.object({ key: z.string().max(200) }),
    query: z.object({ keyonly: z.string().max(10).optional() }),
    async handle({ params, query, services }) {
      const [row] = await apiKeyQuery(services.db, params.key)
      const actor = apiKeyActor(row, services.clock.now())
      const allowed = allowedTypes(actor, services.config, 'view')
      if (actor.kind !== 'apiKey' || allowed.length === 0) {
        throw new HeddleError('forbidden', 'This API key needs permission to view flows')
      }
      return listFlowsOfKey(services, actor, { keyonly: query.keyonly !== undefined, allowed })
    },
  }),

  route({
    method: 'GET',
    path: '/chatflows/:id',
    summary: 'Get a flow',
    answer: chatflowSchema,
    access: flowAccess('view', 'update', 'delete'),
    params: byId,
    async handle({ params, actor, services }) {
      const row = await readFlow(services, memberOf(actor), params.id)
      assertAllowed(row.type, allowedTypes(actor, services.config, 'view', 'update', 'delete'))
      return row
    },
  }),

  route({
    method: 'GET',
    path: '/chatflows/:id/components',
    summary: 'List the components that a flow uses',
    answer: z.array(componentDefinitionSchema),
    access: flowAccess('view', 'update', 'delete'),
    params: byId,
    async handle({ params, actor, services }) {
      const row = await readFlow(services, memberOf(actor), params.id)
      assertAllowed(row.type, allowedTypes(actor, services.config, 'view', 'update', 'delete'))
      const opened = parseFlow(row.flowData)
      return opened.ok ? flowComponents(opened.flow) : []
    },
  }),

  ...versionRoutes,
  ...secretRoutes,

  route({
    method: 'GET',
    path: '/validation/:id',
    summary: 'List the problems of a flow',
    answer: checklistSchema,
    access: flowAccess('view', 'update'),
    params: byId,
    async handle({ params, actor, services }) {
      const row = await readFlow(services, memberOf(actor), params.id)
      assertAllowed(row.type, allowedTypes(actor, services.config, 'view', 'update'))
      const own = await readOwnIds(services, memberOf(actor))
      return checklist(parseFlowData(row.flowData), { flowId: row.id, kind: kindOf(row.type), own })
    },
  }),

  route({
    method: 'GET',
    path: '/flow-config/:id',
    summary: 'List the overridable inputs of a flow',
    answer: z.array(overridableInputSchema),
    access: flowAccess('view', 'update'),
    params: byId,
    async handle({ params, actor, services }) {
      const row = await readFlow(services, memberOf(actor), params.id)
      assertAllowed(row.type, allowedTypes(actor, services.config, 'view', 'update'))
      return flowConfig(parseFlowData(row.flowData))
    },
  }),

  route({
    method: 'GET',
    path: '/chatflows-uploads/:id',
    summary: 'Get the uploads that a flow accepts',
    answer: uploadsAllowedSchema,
    errors: ['unauthorized', 'forbidden'],
    access: 'public',
    embeddable: true,
    params: byId,
    async handle({ params, context }) {
      return uploadsOf(await readPublicFlow(context, params.id))
    },
  }),

  route({
    method: 'GET',
    path: '/chatflows-streaming/:id',
    summary: 'Check whether a flow streams',
    answer: isStreamingSchema,
    access: 'public',
    embeddable: true,
    params: byId,
    // Everybody may ask, as in Flowise: its SDKs do so without their key before each streamed call. What does not exist
    // answers as most flows do.
    async handle({ params, services }) {
      const flow = await findPublicFlow(services, params.id)
      return { isStreaming: !flow || canStream(flow) }
    },
  }),

  route({
    method: 'GET',
    path: '/public-chatbotConfig/:id',
    summary: 'Get the chat settings of a flow',
    answer: publicChatbotConfigSchema,
    errors: ['unauthorized', 'forbidden'],
    access: 'public',
    embeddable: true,
    params: byId,
    async handle({ params, context }) {
      return publicChatbotConfig(await readPublicFlow(context, params.id))
    },
  }),

  route({
    method: 'GET',
    path: '/public-chatflows/:id',
    summary: 'Get a shared flow',
    answer: sharedFlowSchema,
    access: 'public',
    embeddable: true,
    params: byId,
    async handle({ params, services }) {
      return readSharedFlow(services, params.id)
    },
  }),
]
