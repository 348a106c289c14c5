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
import { createFlow, type FlowSave, updateFlow } from './store.ts'
import { restoreVersion } from './versions.ts'

const byId = z.object({ id: z.string().max(100) })

/** @param saves one of each area that keeps rows of saved flows */
export const saveRoutes = (saves: readonly FlowSave[]): Route[] => [
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
      return createFlow({ ...withAudit(context, member), saves }, member, body)
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
      return updateFlow({ ...withAudit(context, member), saves }, member, { ...params, body, allowed })
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
