/** Creates and saves flows together with the rows that other areas keep of them. */
import * as z from 'zod'
import {
  chatflowSchema,
  createFlowSchema,
  MAX_FLOW_BYTES,
  restoreVersionSchema,
  updateFlowSchema,
} from '#contract/chatflows.ts'
import { unaudited, withAudit } from '../../http/audit.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { allowedTypes, assertAllowed, flowAccess } from './access.ts'
import { createFlow, type FlowSave, type KeepFiles, readFlowHead, updateFlow } from './store.ts'
import { restoreVersion } from './versions.ts'

const byId = z.object({ id: z.string().max(100) })

interface Saving {
  /** One of each area that keeps rows of saved flows. */
  saves: readonly FlowSave[]
  keepFiles: KeepFiles
}

export const saveRoutes = ({ saves, keepFiles }: Saving): Route[] => [
  route({
    method: 'POST',
    path: '/chatflows',
    summary: 'Create a flow',
    // Only of a flow that is created with a choice of who may call it.
    audit: 'flow.share',
    answer: chatflowSchema,
    access: flowAccess('create'),
    maxBodyBytes: MAX_FLOW_BYTES,
    body: createFlowSchema,
    async handle({ body, actor, services, context }) {
      assertAllowed(body.type, allowedTypes(actor, services.config, 'create'))
      const member = memberOf(actor)
      const { copyOf, ...flow } = body
      if (copyOf !== undefined) {
        const { type } = await readFlowHead(services, member, copyOf)
        assertAllowed(type, allowedTypes(actor, services.config, 'view'))
      }
      const kept = await keepFiles(services, member, { copyOf, flowData: body.flowData })
      const store = { ...withAudit(context, member), saves: [...saves, ...kept.saves] }
      return createFlow(store, member, { ...flow, flowData: kept.flowData })
    },
  }),

  route({
    method: 'PUT',
    path: '/chatflows/:id',
    summary: 'Save a flow',
    // Only of a save that changes who may call the flow.
    audit: 'flow.share',
    answer: chatflowSchema,
    errors: ['conflict'],
    access: flowAccess('create', 'update'),
    maxBodyBytes: MAX_FLOW_BYTES,
    body: updateFlowSchema,
    params: byId,
    async handle({ body, params, actor, services, context }) {
      const allowed = allowedTypes(actor, services.config, 'create', 'update')
      const member = memberOf(actor)
      const { flowData, version } = body
      if (!flowData) return updateFlow({ ...withAudit(context, member), saves }, member, { ...params, body, allowed })
      const { saves: more, ...kept } = await keepFiles(services, member, { ...params, flowData, version })
      const store = { ...withAudit(context, member), saves: [...saves, ...more] }
      return updateFlow(store, member, { ...params, body: { ...body, ...kept }, allowed })
    },
  }),

  route({
    method: 'POST',
    path: '/chatflows/:id/versions/:version/restore',
    summary: 'Restore a version as the new draft',
    audit: unaudited.content,
    answer: chatflowSchema,
    errors: ['conflict'],
    access: flowAccess('create', 'update'),
    params: byId.extend({ version: z.coerce.number().int().positive() }),
    body: restoreVersionSchema,
    async handle({ body, params, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'create', 'update')
      return restoreVersion({ ...services, saves }, memberOf(actor), { ...params, body, allowed })
    },
  }),
]
