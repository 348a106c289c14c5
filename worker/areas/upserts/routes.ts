import type { Context } from 'hono'
import * as z from 'zod'
import {
  deleteUpsertHistorySchema,
  listUpsertHistorySchema,
  upsertHistorySchema,
} from '#contract/document-stores/upsert.ts'
import { errorMessage, HeddleError } from '#contract/errors.ts'
import { predictionOf } from '#contract/predictions.ts'
import type { RunEvent } from '#contract/runs/events.ts'
import { deletedSchema } from '#contract/schemas/responses.ts'
import { MAX_UPLOAD_BODY_BYTES, MAX_UPLOADS } from '#contract/uploads.ts'
import {
  flowUpsertHistorySchema,
  flowUpsertSchema,
  memberUpsertSchema,
  type UpsertEvent,
  upsertFlowFields,
  upsertFlowSchema,
} from '#contract/upserts.ts'
import { unaudited } from '../../http/audit.ts'
import { mayUse } from '../../http/permission.ts'
import { type Actor, type AppEnv, memberOf, type Route, route } from '../../http/route.ts'
import { readRunContext } from '../../runs/context/run-context.ts'
import type { Services } from '../../services.ts'
import { allowedTypes, assertAllowed, flowAccess, readFlowHead, type Verb } from '../chatflows/index.ts'
import { deleteHistory, listHistory } from '../document-stores/index.ts'
import {
  authorizeCaller,
  frame,
  frameStream,
  hasKeyToView,
  keyHashOf,
  loadRunContext,
  plainRefusals,
  withPlainRefusals,
} from '../predictions/index.ts'
import { type FillStore, openUpsert } from './fill-store.ts'
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
        return untilDone(context, await openUpsert(services, { runContext, body, files, isMember }))
      })
    },
  }),

  route({
    method: 'POST',
    path: '/vector/internal-upsert/:id',
    summary: 'Fill the vector store of a flow’s draft',
    audit: unaudited.run,
    answer: [
      { schema: flowUpsertSchema },
      {
        type: 'text/event-stream',
        description:
          'With `streaming`: `upsertProgress` events, then `upserted` with the answer or `error` with what failed. Closing the stream ends the upsert; what was written stays',
      },
    ],
    errors: ['run_failed'],
    access: flowAccess('create', 'update'),
    params: byId,
    body: memberUpsertSchema,
    maxBodyBytes: MAX_UPLOAD_BODY_BYTES,
    multipart,
    async handle({ params, body, files, actor, services, context }) {
      const tenant = memberOf(actor)
      const runContext = await readRunContext(services.db, { flowId: params.id, tenant, version: 'draft' })
      assertAllowed(runContext.flow.type, allowedTypes(actor, services.config, 'create', 'update'))
      const fill = await openUpsert(services, { runContext, body, files, isMember: true })
      return body.streaming ? streamed(context, fill) : untilDone(context, fill)
    },
  }),
]

/** The upsert goes on when its caller leaves. */
async function untilDone(context: Context<AppEnv>, fill: FillStore) {
  const filling = fill({ signal: new AbortController().signal, emit() {} })
  context.executionCtx.waitUntil(filling.catch(() => undefined))
  return filling
}

/** A caller who has left is noticed when something is sent. */
const HEARTBEAT_MS = 1000

/** The upsert ends when its caller closes the stream. */
function streamed(context: Context<AppEnv>, fill: FillStore): Response {
  const left = new AbortController()
  const signal = AbortSignal.any([left.signal, context.req.raw.signal])
  const work = async (send: (event: UpsertEvent) => void) => {
    try {
      const emit = (event: RunEvent) => event.event === 'upsertProgress' && send(event)
      send({ event: 'upserted', data: await fill({ signal, emit }) })
    } catch (error) {
      if (!signal.aborted) send({ event: 'error', data: errorMessage(error) })
    }
    send({ event: 'end', data: '[DONE]' })
  }
  return frameStream((send) => work((event) => send(frame(event), false)), {
    keepAlive: (done) => context.executionCtx.waitUntil(done),
    onCancel: () => left.abort(),
    heartbeatMs: HEARTBEAT_MS,
  })
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
