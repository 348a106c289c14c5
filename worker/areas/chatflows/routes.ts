import * as z from 'zod'
import {
  createFlowSchema,
  listFlowsSchema,
  MAX_FLOW_BYTES,
  parseFlowData,
  updateFlowSchema,
} from '#contract/chatflows.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { allowedTypes, assertAllowed, flowAccess } from './access.ts'
import { checklist } from './checklist.ts'
import { flowConfig } from './flow-config.ts'
import { allowedUploads, canStream, publicChatbotConfig, readPublicFlow, readSharedFlow } from './public.ts'
import { createFlow, deleteFlow, listFlows, readFlow, readFlowHead, updateFlow } from './store.ts'
import { versionRoutes } from './version-routes.ts'

const byId = z.object({ id: z.string().max(100) })

export const routes: Route[] = [
  route({
    method: 'POST',
    path: '/chatflows',
    access: flowAccess('create'),
    maxBodyBytes: MAX_FLOW_BYTES,
    body: createFlowSchema,
    async handle({ body, actor, services }) {
      assertAllowed(body.type, allowedTypes(actor, services.config, 'create'))
      return createFlow(services, memberOf(actor), body)
    },
  }),

  route({
    method: 'GET',
    path: '/chatflows',
    access: flowAccess('view', 'update'),
    query: listFlowsSchema,
    async handle({ query, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'view', 'update')
      return listFlows(services, memberOf(actor), { ...query, allowed })
    },
  }),

  route({
    method: 'GET',
    path: '/chatflows/has-changed/:id/:date',
    access: flowAccess('view', 'update'),
    params: byId.extend({ date: z.iso.datetime({ offset: true, error: 'This must be an ISO date' }) }),
    async handle({ params, actor, services }) {
      const row = await readFlowHead(services, memberOf(actor), params.id)
      return { hasChanged: Date.parse(row.updatedDate) !== Date.parse(params.date) }
    },
  }),

  route({
    method: 'GET',
    path: '/chatflows/:id',
    access: flowAccess('view', 'update', 'delete'),
    params: byId,
    async handle({ params, actor, services }) {
      const row = await readFlow(services, memberOf(actor), params.id)
      assertAllowed(row.type, allowedTypes(actor, services.config, 'view', 'update', 'delete'))
      return row
    },
  }),

  route({
    method: 'PUT',
    path: '/chatflows/:id',
    access: flowAccess('create', 'update'),
    maxBodyBytes: MAX_FLOW_BYTES,
    body: updateFlowSchema,
    params: byId,
    async handle({ body, params, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'create', 'update')
      return updateFlow(services, memberOf(actor), { id: params.id, body, allowed })
    },
  }),

  route({
    method: 'DELETE',
    path: '/chatflows/:id',
    access: flowAccess('delete'),
    params: byId,
    async handle({ params, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'delete')
      return deleteFlow(services, memberOf(actor), { id: params.id, allowed })
    },
  }),

  ...versionRoutes,

  route({
    method: 'GET',
    path: '/validation/:id',
    access: flowAccess('view', 'update'),
    params: byId,
    async handle({ params, actor, services }) {
      const row = await readFlow(services, memberOf(actor), params.id)
      assertAllowed(row.type, allowedTypes(actor, services.config, 'view', 'update'))
      return checklist(parseFlowData(row.flowData), row.id)
    },
  }),

  route({
    method: 'GET',
    path: '/flow-config/:id',
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
    access: 'public',
    embeddable: true,
    params: byId,
    async handle({ params, services }) {
      await readPublicFlow(services, params.id)
      return allowedUploads
    },
  }),

  route({
    method: 'GET',
    path: '/chatflows-streaming/:id',
    access: 'public',
    embeddable: true,
    params: byId,
    async handle({ params, services }) {
      return { isStreaming: canStream(await readPublicFlow(services, params.id)) }
    },
  }),

  route({
    method: 'GET',
    path: '/public-chatbotConfig/:id',
    access: 'public',
    embeddable: true,
    params: byId,
    async handle({ params, services }) {
      return publicChatbotConfig(await readPublicFlow(services, params.id))
    },
  }),

  route({
    method: 'GET',
    path: '/public-chatflows/:id',
    access: 'public',
    embeddable: true,
    params: byId,
    async handle({ params, services }) {
      return readSharedFlow(services, params.id)
    },
  }),
]
