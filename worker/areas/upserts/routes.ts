import type { Context } from 'hono'
import * as z from 'zod'
import type { FlowVerb } from '#contract/access/callers.ts'
import { acceptedJobSchema } from '#contract/document-stores/jobs.ts'
import {
  asyncSchema,
  deleteUpsertHistorySchema,
  listUpsertHistorySchema,
  upsertHistorySchema,
} from '#contract/document-stores/upsert.ts'
import { HeddleError } from '#contract/errors.ts'
import { predictionOf } from '#contract/predictions/predictions.ts'
import { MAX_UPLOAD_BODY_BYTES, MAX_UPLOADS } from '#contract/predictions/uploads.ts'
import { deletedSchema } from '#contract/schemas/responses.ts'
import {
  flowUpsertHistorySchema,
  flowUpsertJobSchema,
  flowUpsertSchema,
  upsertFlowFields,
  upsertFlowSchema,
} from '#contract/upserts/upserts.ts'
import type { Tenant } from '#db/scope.ts'
import { auditExempt } from '../../http/audit.ts'
import { mayUse } from '../../http/permission.ts'
import { type Actor, type AppEnv, memberOf, type Route, route } from '../../http/route.ts'
import { readRunContext } from '../../runs/context/run-context.ts'
import { bytesStatements } from '../../runs/records/records-budget.ts'
import type { Services } from '../../services.ts'
import { allowedTypes, assertAllowed, flowAccess, largeBodyFor, readFlowHead } from '../chatflows/index.ts'
import { deleteHistory, listHistory } from '../document-stores/index.ts'
import {
  hasKeyToView,
  isAnonymous,
  loadAuthorized,
  plainTextErrors,
  withPlainTextErrors,
} from '../predictions/index.ts'
import { type Filling, type OpenedUpsert, openUpsert, type UpsertCall } from './fill-store.ts'
import { deleteFlowHistory, listFlowHistory } from './history.ts'
import { takesSentFiles } from './sent-files.ts'
import { cancelUpsertJob, readUpsertJob, startUpsertJob, type UpsertVersion } from './upsert-jobs.ts'

const multipart = { ...upsertFlowFields, files: { field: 'files', max: MAX_UPLOADS }, toBody: predictionOf }
const byId = z.object({ id: z.uuid('This must be the id of a flow') })
const ofAny = z.object({ id: z.string().max(100) })

const UPDATE_FLOWS = flowAccess('create', 'update')
const VIEW_STORES = { permission: 'documentStores:view' }
const UPDATE_STORES = { permission: 'documentStores:update' }
const orFlows = (stores: { permission: string }, ...verbs: FlowVerb[]) => ({
  permission: `${stores.permission},${flowAccess(...verbs).permission}`,
})

const accepted = { status: 202, schema: acceptedJobSchema }
const ASYNC_READS_THE_FLOW = 'With async=true the flow is read as it is saved. Send files and overrides without it'
const ASYNC_NEEDS_A_KEY = 'With async=true, send an API key that may view this flow'

const upsertRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/vector/upsert/:id',
    summary: 'Fill the vector store of a flow',
    audit: auditExempt.run,
    description:
      'Reads the documents that are connected to the vector store, embeds them and writes them. Files take the place of those that the loaders name, where the flow’s owner allows that.',
    answer: [
      { schema: flowUpsertSchema },
      { ...accepted, description: 'With `async=true`, which takes a key that may view the flow' },
      ...plainTextErrors,
    ],
    errors: ['unauthorized', 'forbidden', 'conflict', 'rate_limited', 'run_failed'],
    access: 'public',
    embeddable: true,
    limit: { max: 30, windowSeconds: 60 },
    params: byId,
    query: asyncSchema,
    body: upsertFlowSchema,
    maxBodyBytes: MAX_UPLOAD_BODY_BYTES,
    beforeLargeBody: largeBodyFor((_, { nodes }) => takesSentFiles(nodes)),
    multipart,
    async handle({ params, query, body, files, services, context }) {
      return withPlainTextErrors(false, async () => {
        const asked = { flowId: params.id, body: { streaming: false }, files, chatType: 'EXTERNAL' as const }
        const call = await loadAuthorized(context, asked)
        const { runContext } = call
        const isMember = hasKeyToView(runContext, services.clock.now())
        const upsert = { runContext, body, files, isMember }
        const alongside = isAnonymous(call, services.clock.now()) ? takingRecords(services, runContext.flow) : undefined
        if (query.async !== 'true') return untilDone(context, await openUpsert(services, upsert), alongside)
        if (!isMember) throw new HeddleError('unauthorized', ASYNC_NEEDS_A_KEY)
        return acceptUpsert(services, upsert, 'published')
      })
    },
  }),

  route({
    method: 'POST',
    path: '/vector/internal-upsert/:id',
    summary: 'Fill the vector store of a flow’s draft',
    audit: auditExempt.run,
    answer: [{ schema: flowUpsertSchema }, { ...accepted, description: 'With `async=true`' }],
    errors: ['conflict', 'run_failed'],
    access: UPDATE_FLOWS,
    params: byId,
    query: asyncSchema,
    body: upsertFlowSchema,
    maxBodyBytes: MAX_UPLOAD_BODY_BYTES,
    multipart,
    async handle({ params, query, body, files, actor, services, context }) {
      const tenant = memberOf(actor)
      const runContext = await readRunContext(services.db, { flowId: params.id, tenant, version: 'draft' })
      assertAllowed(runContext.flow.type, allowedTypes(actor, services.config, 'create', 'update'))
      const upsert = { runContext, body, files, isMember: true }
      if (query.async === 'true') return acceptUpsert(services, upsert, 'draft')
      return untilDone(context, await openUpsert(services, upsert))
    },
  }),

  route({
    method: 'GET',
    path: '/vector/internal-upsert/:id',
    summary: 'Get the newest upsert of a flow that was started with `async=true`',
    answer: z.object({ job: flowUpsertJobSchema.nullable() }),
    access: flowAccess('view'),
    params: byId,
    async handle({ params: { id }, actor, services }) {
      await assertMay(services, actor, { id, verbs: ['view'] })
      return { job: await readUpsertJob(services, memberOf(actor), id) }
    },
  }),

  route({
    method: 'DELETE',
    path: '/vector/internal-upsert/:id',
    summary: 'Cancel the upsert of a flow that was started with `async=true`',
    description: 'Keeps what was already written.',
    audit: auditExempt.run,
    answer: flowUpsertJobSchema,
    errors: ['not_found'],
    access: UPDATE_FLOWS,
    params: byId,
    async handle({ params: { id }, actor, services }) {
      await assertMay(services, actor, { id, verbs: ['create', 'update'] })
      return cancelUpsertJob(services, memberOf(actor), id)
    },
  }),
]

/** Throws `not_found`, and `forbidden` for a flow of a type that the caller may not do this with. */
async function assertMay(services: Services, actor: Actor, { id, verbs }: { id: string; verbs: FlowVerb[] }) {
  const { type } = await readFlowHead(services, memberOf(actor), id)
  assertAllowed(type, allowedTypes(actor, services.config, ...verbs))
}

/** Throws `bad_request` for what a background upsert cannot do, and `conflict` while the flow has another one. */
async function acceptUpsert(services: Services, upsert: UpsertCall, version: UpsertVersion): Promise<Response> {
  if (upsert.files.length > 0 || upsert.body.overrideConfig) throw new HeddleError('bad_request', ASYNC_READS_THE_FLOW)
  const { flow } = upsert.runContext
  const { storeId } = await openUpsert(services, upsert)
  const jobId = await startUpsertJob(services, flow, { flowId: flow.id, storeId, version })
  return Response.json({ jobId, statusUrl: `/api/v1/vector/internal-upsert/${flow.id}` }, { status: 202 })
}

/** Takes the documents that an anonymous caller had written; of many, those that the result names speak for the others. */
function takingRecords(services: Services, tenant: Tenant): Filling['alongside'] {
  return ({ addedDocs, numAdded }) => {
    const bytes = Buffer.byteLength(JSON.stringify(addedDocs))
    return bytesStatements(services, tenant, Math.ceil((bytes * numAdded) / Math.max(1, addedDocs.length)))
  }
}

/** The upsert goes on when its caller leaves. */
async function untilDone(context: Context<AppEnv>, { fill }: OpenedUpsert, alongside?: Filling['alongside']) {
  const filling = fill({ signal: new AbortController().signal, emit() {}, ...(alongside && { alongside }) })
  context.executionCtx.waitUntil(filling.catch(() => undefined))
  return filling
}

const deleteEntries = (path: string) =>
  route({
    method: 'PATCH',
    path,
    summary: 'Delete entries of the upsert history',
    audit: auditExempt.content,
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
    await assertMay(services, actor, { id, verbs: ['view'] })
    return true
  } catch (error) {
    if (error instanceof HeddleError && error.code === 'not_found') return false
    throw error
  }
}
