/** Creates and saves flows together with the rows that other areas keep of them. */
import * as z from 'zod'
import {
  chatflowSchema,
  createFlowSchema,
  MAX_SAVE_BYTES,
  restoreVersionSchema,
  updateFlowSchema,
} from '#contract/chatflows/chatflows.ts'
import { auditExempt, withAudit } from '../../http/audit.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { allowedTypes, assertAllowed, flowAccess } from './access.ts'
import type { StoreSources } from './sources.ts'
import { createFlow, type FlowSave, type KeepFiles, readFlowHead, updateFlow } from './store.ts'
import { restoreVersion } from './versions.ts'

const byId = z.object({ id: z.string().max(100) })

interface Saving {
  /** One of each area that keeps rows of saved flows. */
  saves: readonly FlowSave[]
  keepFiles: KeepFiles
  storeSources: StoreSources
}

export const saveRoutes = ({ saves, keepFiles, storeSources }: Saving): Route[] => [
  route({
    method: 'POST',
    path: '/chatflows',
    summary: 'Create a flow',
    // Only of a flow that is created with a choice of who may call it.
    audit: 'flow.share',
    answer: chatflowSchema,
    errors: ['not_found'],
    access: flowAccess('create'),
    maxBodyBytes: MAX_SAVE_BYTES,
    body: createFlowSchema,
    async handle({ body, actor, services, context }) {
      assertAllowed(body.type, allowedTypes(actor, services.config, 'create'))
      const member = memberOf(actor)
      const { copyOf, sources: sent, ...flow } = body
      if (copyOf !== undefined) {
        const { type } = await readFlowHead(services, member, copyOf)
        assertAllowed(type, allowedTypes(actor, services.config, 'view'))
      }
      const kept = await keepFiles(services, member, { copyOf, flowData: body.flowData })
      const sources =
        sent || copyOf === undefined ? await storeSources(services, member, sent ?? []) : { flowId: copyOf }
      const store = { ...withAudit(context, member), sources, saves: [...saves, ...kept.saves] }
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
    maxBodyBytes: MAX_SAVE_BYTES,
    body: updateFlowSchema,
    params: byId,
    async handle({ body, params, actor, services, context }) {
      const allowed = allowedTypes(actor, services.config, 'create', 'update')
      const member = memberOf(actor)
      const { sources: sent, ...change } = body
      const { flowData, version } = change
      if (!flowData) {
        return updateFlow({ ...withAudit(context, member), saves }, member, { ...params, body: change, allowed })
      }
      const { saves: more, ...kept } = await keepFiles(services, member, { ...params, flowData, version })
      if (sent) assertAllowed((await readFlowHead(services, member, params.id)).type, allowed)
      const sources = sent && (await storeSources(services, member, sent))
      const store = { ...withAudit(context, member), sources, saves: [...saves, ...more] }
      return updateFlow(store, member, { ...params, body: { ...change, ...kept }, allowed })
    },
  }),

  route({
    method: 'POST',
    path: '/chatflows/:id/versions/:version/restore',
    summary: 'Restore a version as the new draft',
    audit: auditExempt.content,
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
