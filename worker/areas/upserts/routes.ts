import type { Context } from 'hono'
import * as z from 'zod'
import {
  deleteUpsertHistorySchema,
  listUpsertHistorySchema,
  upsertHistorySchema,
} from '#contract/document-stores/upsert.ts'
import { HeddleError } from '#contract/errors.ts'
import { predictionOf } from '#contract/predictions.ts'
import { deletedSchema } from '#contract/schemas/responses.ts'
import { MAX_UPLOAD_BODY_BYTES, MAX_UPLOADS } from '#contract/uploads.ts'
import { flowUpsertHistorySchema, flowUpsertSchema, upsertFlowFields, upsertFlowSchema } from '#contract/upserts.ts'
import { unaudited } from '../../http/audit.ts'
import { mayUse } from '../../http/permission.ts'
import { type Actor, type AppEnv, memberOf, type Route, route } from '../../http/route.ts'
import { readRunContext } from '../../runs/context/run-context.ts'
import type { Services } from '../../services.ts'
import { allowedTypes, assertAllowed, flowAccess, readFlowHead, type Verb } from '../chatflows/index.ts'
import { deleteHistory, listHistory } from '../document-stores/index.ts'
import {
  authorizeCaller,
  hasKeyToView,
  keyHashOf,
  loadRunContext,
  plainRefusals,
  withPlainRefusals,
} from '../predictions/index.ts'
import { fillStore, type UpsertCall } from './fill-store.ts'
import { deleteFlowHistory, listFlowHistory } from './history.ts'

const multipart = { ...upsertFlowFields, files: { field: 'files', max: MAX_UPLOADS }, toBody: predictionOf }
const byId = z.object({ id: z.uuid('This must be the id of a flow') })
const ofAny = z.object({ id: z.string().max(100) })

const VIEW_STORES = { permission: 'documentStores:view' }
const UPDATE_STORES = { permission: 'documentStores:update' }
const orFlows = (stores: { permission: string }, ...verbs: Verb[]) => ({
  permission: `${stores.permission},${flowAccess(...verbs).permission}`,
})

const upsertRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/vector/upsert/:id',
    summary: 'Fill the vector store of a flow',
    audit: unaudited.run,
    description:
      'Reads the documents that are connected to the vector store, embeds them and writes them. Files take the place of those that the loaders name, where the flow’s owner allows that.',
    answer: [{ schema: flowUpsertSchema }, ...plainRefusals],
    errors: ['unauthorized', 'forbidden', 'rate_limited', 'run_failed'],
    access: 'public',
    embeddable: true,
    limit: { max: 30, windowSeconds: 60 },
    params: byId,
    body: upsertFlowSchema,
    maxBodyBytes: MAX_UPLOAD_BODY_BYTES,
    multipart,
    async handle({ params, body, files, services, context }) {
      return withPlainRefusals(false, async () => {
        const asked = { flowId: params.id, body: { streaming: false }, files, chatType: 'EXTERNAL' as const }
        const call = await loadRunContext(services, asked, keyHashOf(context))
        await authorizeCaller(context, call)
        const { runContext } = call
        const isMember = hasKeyToView(runContext, services.clock.now())
        return untilDone(context, { runContext, body, files, isMember })
      })
    },
  }),

  route({
    method: 'POST',
    path: '/vector/internal-upsert/:id',
    summary: 'Fill the vector store of a flow’s draft',
    audit: unaudited.run,
    answer: flowUpsertSchema,
    errors: ['run_failed'],
    access: flowAccess('create', 'update'),
    params: byId,
    body: upsertFlowSchema,
    maxBodyBytes: MAX_UPLOAD_BODY_BYTES,
    multipart,
    async handle({ params, body, files, actor, services, context }) {
      const tenant = memberOf(actor)
      const runContext = await readRunContext(services.db, { flowId: params.id, tenant, version: 'draft' })
      assertAllowed(runContext.flow.type, allowedTypes(actor, services.config, 'create', 'update'))
      return untilDone(context, { runContext, body, files, isMember: true })
    },
  }),
]

/** The upsert goes on when its caller leaves. */
async function untilDone(context: Context<AppEnv>, call: Omit<UpsertCall, 'signal'>) {
  const filling = fillStore(context.get('services'), { ...call, signal: new AbortController().signal })
  context.executionCtx.waitUntil(filling.catch(() => undefined))
  return filling
}

const deleteEntries = (path: string) =>
  route({
    method: 'PATCH',
    path,
    summary: 'Delete entries of the upsert history',
    audit: unaudited.content,
    answer: deletedSchema,
    access: orFlows(UPDATE_STORES, 'create', 'update'),
    ...(path.includes(':id') && { params: ofAny }),
    body: deleteUpsertHistorySchema,
    async handle({ body: { ids }, actor, services }) {
      const tenant = memberOf(actor)
      const allowed = allowedTypes(actor, services.config, 'create', 'update')
      const ofFlows = await deleteFlowHistory(services, tenant, { ids, allowed })
      if (!mayUse(UPDATE_STORES, actor, services.config.platformType)) return { raw: [], affected: ofFlows }
      const { affected } = await deleteHistory(services, tenant, ids)
      return { raw: [], affected: affected + ofFlows }
    },
  })

export const routes: Route[] = [
  ...upsertRoutes,

  route({
    method: 'GET',
    path: '/upsert-history/:id',
    summary: 'List the upserts of a flow or of a document store',
    answer: z.union([z.array(flowUpsertHistorySchema), z.array(upsertHistorySchema)]),
    access: orFlows(VIEW_STORES, 'view'),
    params: ofAny,
    query: listUpsertHistorySchema,
    async handle({ params: { id }, query, actor, services }) {
      const tenant = memberOf(actor)
      if (await isFlow(services, actor, id)) return listFlowHistory(services, tenant, { ...query, flowId: id })
      if (mayUse(VIEW_STORES, actor, services.config.platformType))
        return listHistory(services, tenant, { ...query, storeId: id })
      throw new HeddleError('not_found', `Flow ${id} not found`)
    },
  }),

  deleteEntries('/upsert-history'),
  deleteEntries('/upsert-history/:id'),
]

/** Throws `forbidden` for a flow that the caller may not view. */
async function isFlow(services: Services, actor: Actor, id: string): Promise<boolean> {
  try {
    const { type } = await readFlowHead(services, memberOf(actor), id)
    assertAllowed(type, allowedTypes(actor, services.config, 'view'))
    return true
  } catch (error) {
    if (error instanceof HeddleError && error.code === 'not_found') return false
    throw error
  }
}
