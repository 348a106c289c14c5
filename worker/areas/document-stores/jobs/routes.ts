/** Calls that start jobs, and calls about jobs. */

import * as z from 'zod'
import { describePermissions } from '#contract/access/index.ts'
import {
  acceptedJobSchema,
  documentJobSchema,
  JOB_ACTIONS,
  upsertResultSchema,
} from '#contract/document-stores/jobs.ts'
import {
  acceptedRefreshSchema,
  asyncSchema,
  insertSchema,
  processedLoaderSchema,
  processLoaderSchema,
  refreshResultSchema,
  refreshSchema,
  type Upsert,
  upsertSchema,
} from '#contract/document-stores/upsert.ts'
import { HeddleError } from '#contract/errors.ts'
import type { Tenant } from '#db/scope.ts'
import { auditExempt } from '../../../http/audit.ts'
import { byId } from '../../../http/crud-routes.ts'
import { mayUse } from '../../../http/permission.ts'
import { type Actor, memberOf, type Route, route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { answerJob } from '../answer-stores.ts'
import { listChunks } from '../chunks.ts'
import { viewerOf } from '../store-viewer.ts'
import { acceptUpsert } from './control/accept-upsert.ts'
import { applyJobAction } from './control/job-actions.ts'
import { saveComponentConfig } from './control/save-component-config.ts'
import { startLoaderJob, startStoreJob } from './control/start-checked.ts'
import { resultWithDocuments } from './rows/added-documents.ts'
import type { JobRow } from './rows/job-rows.ts'
import { acceptedJob, listJobs, readJob, resultOf, waitForJob } from './rows/read-jobs.ts'

const view = { permission: 'documentStores:view' }
const create = { permission: 'documentStores:create' }
const update = { permission: 'documentStores:update' }

/** Files of one multipart call. */
const MAX_FILES = 20
const MAX_UPSERT_BYTES = 100 * 1024 ** 2
const MAX_JSON_BYTES = 32 * 1024 ** 2

const accepted = {
  status: 202,
  schema: acceptedJobSchema,
  description: 'With `async=true`, or if the job exceeds the time limit of a call',
}
const upsertAnswer = [{ schema: upsertResultSchema }, accepted]

export const jobRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/document-store/loader/process/:loaderId',
    summary: 'Read a loader into chunks',
    audit: auditExempt.content,
    description: 'Returns the loader’s first chunks.',
    answer: [{ schema: processedLoaderSchema }, accepted],
    errors: ['not_found', 'unprocessable'],
    access: update,
    params: z.object({ loaderId: z.string().max(100) }),
    query: asyncSchema,
    body: processLoaderSchema,
    async handle({ params, query, actor, services }) {
      const tenant = memberOf(actor)
      const id = await startLoaderJob(services, tenant, params.loaderId)
      const job = await endedJob(services, tenant, { id, isAsync: query.async === 'true' })
      if (job instanceof Response) return job
      const listing = { storeId: job.storeId, loaderId: params.loaderId, page: 1, filter: {} }
      return { ...(await listChunks(services.db, viewerOf(services, tenant), listing)), ...resultOf(job) }
    },
  }),

  route({
    method: 'POST',
    path: '/document-store/vectorstore/insert',
    summary: 'Embed the chunks of a document store',
    audit: auditExempt.content,
    description: 'Embeds chunks that are not embedded yet. Without embeddings, chunks are indexed for keyword search.',
    answer: upsertAnswer,
    errors: ['not_found', 'unprocessable'],
    access: update,
    query: asyncSchema,
    body: insertSchema,
    async handle({ query, body, actor, services }) {
      const tenant = memberOf(actor)
      await saveComponentConfig(services, tenant, {
        storeId: body.storeId,
        ...(body.embeddingName && { embedding: { name: body.embeddingName, config: body.embeddingConfig ?? {} } }),
        ...(body.vectorStoreName && {
          vectorStore: { name: body.vectorStoreName, config: body.vectorStoreConfig ?? {} },
        }),
        ...(body.recordManagerName && {
          recordManager: { name: body.recordManagerName, config: body.recordManagerConfig ?? {} },
        }),
      })
      const job = { storeId: body.storeId, docId: body.docId ?? null, kind: 'upsert' as const, request: {} }
      const id = await startStoreJob(services, tenant, job)
      return answerStarted(services, tenant, { id, isAsync: query.async === 'true' })
    },
  }),

  route({
    method: 'DELETE',
    path: '/document-store/vectorstore/:storeId',
    summary: 'Take the vectors of a document store, or of one loader, away',
    audit: auditExempt.content,
    description: 'Keeps its chunks, which match by keyword only until the next upsert.',
    answer: upsertAnswer,
    errors: ['not_found', 'unprocessable'],
    access: update,
    params: z.object({ storeId: z.string().max(100) }),
    query: asyncSchema.extend({ docId: z.string().max(100).optional() }),
    async handle({ params, query, actor, services }) {
      const tenant = memberOf(actor)
      const job = { storeId: params.storeId, docId: query.docId ?? null, kind: 'clean' as const, request: {} }
      const id = await startStoreJob(services, tenant, job)
      return answerStarted(services, tenant, { id, isAsync: query.async === 'true' })
    },
  }),

  route({
    method: 'POST',
    path: '/document-store/upsert/:id',
    summary: 'Read and embed documents',
    audit: auditExempt.content,
    description: 'Send files as multipart/form-data in the field "files", or choose a loader.',
    answer: upsertAnswer,
    errors: ['forbidden', 'not_found', 'too_large', 'unprocessable'],
    access: update,
    maxBodyBytes: MAX_UPSERT_BYTES,
    multipart: {
      files: { field: 'files', max: MAX_FILES },
      text: ['docId', 'loaderName', 'replaceExisting', 'createNewDocStore'],
      json: ['metadata', 'docStore', 'loader', 'splitter', 'vectorStore', 'embedding', 'recordManager'],
      toBody: ({ replaceExisting, createNewDocStore, ...fields }) => ({
        ...fields,
        ...(replaceExisting !== undefined && { replaceExisting: replaceExisting === 'true' }),
        ...(createNewDocStore !== undefined && { createNewDocStore: createNewDocStore === 'true' }),
      }),
    },
    params: byId,
    query: asyncSchema,
    body: upsertSchema,
    async handle({ params, query, body, files, actor, services }) {
      assertMayMakeStores(services, actor, [body])
      const tenant = memberOf(actor)
      const id = await acceptUpsert(services, tenant, { storeId: params.id, upsert: body, files })
      return answerStarted(services, tenant, { id, isAsync: query.async === 'true' })
    },
  }),

  route({
    method: 'POST',
    path: '/document-store/refresh/:id',
    summary: 'Read again what changed at its origin',
    audit: auditExempt.content,
    description: 'Without items, processes all loaders of the store. Embeds only changes.',
    answer: [{ schema: refreshResultSchema }, { ...accepted, schema: acceptedRefreshSchema }],
    errors: ['forbidden', 'not_found', 'too_large', 'unprocessable'],
    access: update,
    maxBodyBytes: MAX_JSON_BYTES,
    params: byId,
    query: asyncSchema,
    body: refreshSchema,
    async handle({ params, query, body, actor, services }) {
      assertMayMakeStores(services, actor, body.items ?? [])
      const tenant = memberOf(actor)
      const ids: string[] = []
      for (const upsert of body.items ?? [])
        ids.push(await acceptUpsert(services, tenant, { storeId: params.id, upsert, files: [] }))
      const refresh = { storeId: params.id, docId: null, kind: 'refresh' as const, request: {} }
      if (ids.length === 0) ids.push(await startStoreJob(services, tenant, refresh))
      if (query.async !== 'true') {
        const jobs = await Promise.all(ids.map((id) => waitForJob(services, tenant, id)))
        if (jobs.every(isDone)) return await Promise.all(jobs.map((job) => resultWithDocuments(services, tenant, job)))
      }
      const jobs = ids.map(acceptedJob)
      return Response.json(body.items?.length ? jobs : jobs[0], { status: 202 })
    },
  }),

  route({
    method: 'GET',
    path: '/document-store/jobs/:id',
    summary: 'Get a job of a document store',
    answer: documentJobSchema,
    access: view,
    params: byId,
    async handle({ params, actor, services }) {
      return answerJob(await readJob(services, memberOf(actor), params.id))
    },
  }),

  route({
    method: 'GET',
    path: '/document-store/store/:id/jobs',
    summary: 'List the jobs of a document store',
    description: 'Newest first. Keeps the last 100 that ended.',
    answer: z.array(documentJobSchema),
    access: view,
    params: byId,
    async handle({ params, actor, services }) {
      return listJobs(services, memberOf(actor), params.id)
    },
  }),

  route({
    method: 'POST',
    path: '/document-store/jobs/:id/:action',
    summary: 'Cancel or resume a job, agree to what it asks, or retry what failed',
    audit: auditExempt.content,
    description: '`retry` returns the new job.',
    answer: documentJobSchema,
    errors: ['not_found', 'conflict'],
    access: update,
    params: z.object({ id: z.string().max(100), action: z.enum(JOB_ACTIONS) }),
    async handle({ params, actor, services }) {
      return applyJobAction(services, memberOf(actor), params)
    },
  }),
]

/** Throws `forbidden` for an upsert that makes a store, of somebody who may only change those that exist. */
function assertMayMakeStores({ config }: Services, actor: Actor, upserts: Upsert[]): void {
  if (!upserts.some((upsert) => upsert.createNewDocStore) || mayUse(create, actor, config.platformType)) return
  throw new HeddleError(
    'forbidden',
    `createNewDocStore: to make a document store, you need the permission ${describePermissions(create.permission)}`,
    { field: 'createNewDocStore' },
  )
}

const isDone = ({ state }: JobRow) => state === 'done'

/** Waits for the job, unless the caller does not. Throws `unprocessable` with the reason of a job that failed. */
interface Started {
  id: string
  isAsync: boolean
}

async function answerStarted(services: Services, tenant: Tenant, started: Started) {
  const job = await endedJob(services, tenant, started)
  return job instanceof Response ? job : resultWithDocuments(services, tenant, job)
}

/** Returns the job when it has done its work, and otherwise the answer that says where it stands. */
async function endedJob(services: Services, tenant: Tenant, { id, isAsync }: Started): Promise<JobRow | Response> {
  const job = isAsync ? undefined : await waitForJob(services, tenant, id)
  if (job && isDone(job)) return job
  if (job?.state === 'failed' || job?.state === 'paused')
    throw new HeddleError('unprocessable', job.stateReason ?? 'The job failed', { jobId: id })
  return Response.json(acceptedJob(id), { status: 202 })
}
