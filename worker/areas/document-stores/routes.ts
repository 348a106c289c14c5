import * as z from 'zod'
import { overridableInputSchema } from '#contract/chatflows/chatflows.ts'
import { chunkPageSchema, listChunksSchema, updateChunkSchema } from '#contract/document-stores/chunks.ts'
import { estimateRequestSchema, estimateSchema } from '#contract/document-stores/estimate.ts'
import { CHUNKS_PER_PAGE, MAX_FILE_BYTES } from '#contract/document-stores/limits.ts'
import { loaderSchema, saveLoaderSchema, sentFileSchema } from '#contract/document-stores/loaders.ts'
import {
  createStoreSchema,
  documentStoreSchema,
  listStoresSchema,
  updateStoreSchema,
} from '#contract/document-stores/stores.ts'
import { componentDefinitionSchema } from '#contract/flow/params/definition.ts'
import { selectedModelSchema } from '#contract/generator/generator.ts'
import { deletedSchema, listOf } from '#contract/schemas/responses.ts'
import { auditExempt } from '../../http/audit.ts'
import { byId, crudRoutes } from '../../http/crud-routes.ts'
import { cached, withETag } from '../../http/etag.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { deleteChunk, listChunks, updateChunk } from './chunks.ts'
import { COMPONENTS, type ComponentKind, definitionsOf } from './components.ts'
import { deleteStoreFile } from './delete-file.ts'
import { describeStore } from './describe-store.ts'
import { estimateUpsert } from './estimate.ts'
import { jobRoutes } from './jobs/routes.ts'
import { deleteLoader, saveLoader } from './loaders.ts'
import { listStores, readStore } from './read-stores.ts'
import { LOADER_BODY_BYTES, searchRoutes } from './search-routes.ts'
import { storeSentFile } from './sent-files.ts'
import { storeConfigs } from './store-configs.ts'
import { viewerOf } from './store-viewer.ts'
import { createStore, deleteStore, updateStore } from './stores.ts'

const update = { permission: 'documentStores:update' }

const storeRoutes: Route[] = [
  ...crudRoutes({
    path: '/document-store/store',
    permission: 'documentStores',
    names: ['a document store', 'document stores'],
    list: {
      query: listStoresSchema,
      answer: listOf(documentStoreSchema),
      handle: (services, member, query) => listStores(services.db, viewerOf(services, member), query),
    },
    create: {
      body: createStoreSchema,
      answer: documentStoreSchema,
      handle: (services, member, values) => createStore(services, viewerOf(services, member), values),
    },
    update: {
      body: updateStoreSchema,
      answer: documentStoreSchema,
      handle: (services, member, given) => updateStore(services, viewerOf(services, member), given),
    },
    delete: deleteStore,
  }),

  route({
    method: 'GET',
    path: '/document-store/store/:id',
    summary: 'Get a document store',
    answer: documentStoreSchema,
    access: { permission: 'documentStores:view,documentStores:update,documentStores:delete' },
    params: byId,
    async handle({ params, actor, services }) {
      return readStore(services.db, viewerOf(services, memberOf(actor)), params.id)
    },
  }),

  ...(Object.keys(COMPONENTS) as ComponentKind[]).map((kind) =>
    route({
      method: 'GET',
      path: `/document-store/components/${kind}`,
      summary: `List the components of document stores: ${kind}`,
      answer: cached(z.array(componentDefinitionSchema)),
      access: { permission: 'documentStores:view,documentStores:create,documentStores:update' },
      async handle({ context }) {
        return withETag(context, JSON.stringify(definitionsOf(kind)))
      },
    }),
  ),
]

const loaderRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/document-store/store/:id/files',
    summary: 'Send a file to a document store',
    audit: auditExempt.content,
    description:
      'The request body is the file’s bytes. Name the file in the inputs of a loader within 24 hours; afterwards it is deleted.',
    answer: sentFileSchema,
    errors: ['bad_request', 'too_large'],
    access: update,
    params: byId,
    query: z.object({ name: z.string().min(1).max(1000) }),
    bodyTypes: ['application/octet-stream'],
    maxBodyBytes: MAX_FILE_BYTES,
    async handle({ params, query, actor, services, context }) {
      const bytes = new Uint8Array(await context.req.arrayBuffer())
      return storeSentFile(services, memberOf(actor), { storeId: params.id, name: query.name, bytes, field: 'body' })
    },
  }),

  route({
    method: 'DELETE',
    path: '/document-store/store/:id/files/:fileId',
    summary: 'Delete a file of a document store',
    audit: auditExempt.content,
    description: 'Also deletes its chunks and removes it from its loader.',
    answer: deletedSchema,
    errors: ['conflict'],
    access: update,
    params: byId.extend({ fileId: z.string().max(100) }),
    async handle({ params, actor, services }) {
      return deleteStoreFile(services, memberOf(actor), { storeId: params.id, fileId: params.fileId })
    },
  }),

  route({
    method: 'POST',
    path: '/document-store/loader/save',
    summary: 'Save a loader of a document store',
    audit: auditExempt.content,
    description: 'With `id`, it replaces that loader. Processing it reads its sources.',
    answer: loaderSchema,
    errors: ['not_found'],
    access: update,
    maxBodyBytes: LOADER_BODY_BYTES,
    body: saveLoaderSchema,
    async handle({ body, actor, services }) {
      return saveLoader(services, viewerOf(services, memberOf(actor)), body)
    },
  }),

  route({
    method: 'DELETE',
    path: '/document-store/loader/:storeId/:loaderId',
    summary: 'Delete a loader with its chunks',
    audit: auditExempt.content,
    answer: documentStoreSchema,
    access: { permission: 'documentStores:delete' },
    params: z.object({ storeId: z.string().max(100), loaderId: z.string().max(100) }),
    async handle({ params, actor, services }) {
      return deleteLoader(services, viewerOf(services, memberOf(actor)), params)
    },
  }),
]

const configsRoute = route({
  method: 'GET',
  path: '/document-store/store-configs/:id/:loaderId',
  summary: 'List the inputs that an upsert of a loader may override',
  answer: z.array(overridableInputSchema),
  errors: ['not_found'],
  access: { permission: 'documentStores:view' },
  params: byId.extend({ loaderId: z.string().max(100) }),
  async handle({ params, actor, services }) {
    return storeConfigs(services.db, viewerOf(services, memberOf(actor)), params)
  },
})

const estimateRoute = route({
  method: 'POST',
  path: '/document-store/vectorstore/estimate',
  summary: 'Tell what an upsert would embed and cost',
  audit: auditExempt.read,
  description: 'Embeds nothing. The embeddings can differ from the saved ones.',
  answer: estimateSchema,
  errors: ['not_found'],
  access: update,
  body: estimateRequestSchema,
  async handle({ body, actor, services }) {
    return estimateUpsert(services, memberOf(actor), body)
  },
})

const describeRoute = route({
  method: 'POST',
  path: '/document-store/generate-tool-desc/:id',
  summary: 'Describe a document store for agents, with a model',
  audit: auditExempt.read,
  answer: z.object({ content: z.string() }),
  errors: ['not_found', 'unprocessable'],
  access: { permission: 'documentStores:view' },
  params: byId,
  body: z.object({ selectedChatModel: selectedModelSchema }),
  async handle({ params, body, actor, services, context }) {
    const { signal } = context.req.raw
    return describeStore(services, memberOf(actor), { storeId: params.id, ...body, signal })
  },
})

const chunkOf = z.object({
  storeId: z.string().max(100),
  loaderId: z.string().max(100),
  chunkId: z.string().max(100),
})

const chunkRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/document-store/chunks/:storeId/:loaderId/:page',
    summary: 'List the chunks of a loader',
    description: `Pages of ${CHUNKS_PER_PAGE}, from 1. The loader \`all\` stands for every loader of the store.`,
    answer: chunkPageSchema,
    access: { permission: 'documentStores:view' },
    params: chunkOf.omit({ chunkId: true }).extend({ page: z.coerce.number().int().min(1).max(1_000_000) }),
    query: listChunksSchema,
    async handle({ params, query, actor, services }) {
      const viewer = viewerOf(services, memberOf(actor))
      return listChunks(services.db, viewer, { ...params, filter: query })
    },
  }),

  route({
    method: 'PUT',
    path: '/document-store/chunks/:storeId/:loaderId/:chunkId',
    summary: 'Edit a chunk, or switch it on and off',
    audit: auditExempt.content,
    description:
      'A refresh leaves an edited chunk. It is found by its words at once, and by its meaning after the next upsert.',
    answer: chunkPageSchema,
    errors: ['conflict'],
    access: update,
    params: chunkOf,
    body: updateChunkSchema,
    async handle({ params, body, actor, services }) {
      return updateChunk(services, viewerOf(services, memberOf(actor)), { ...params, values: body })
    },
  }),

  route({
    method: 'DELETE',
    path: '/document-store/chunks/:storeId/:loaderId/:chunkId',
    summary: 'Delete a chunk',
    audit: auditExempt.content,
    answer: chunkPageSchema,
    errors: ['conflict'],
    access: { permission: 'documentStores:update,documentStores:delete' },
    params: chunkOf,
    async handle({ params, actor, services }) {
      return deleteChunk(services, viewerOf(services, memberOf(actor)), params)
    },
  }),
]

export const routes: Route[] = [
  ...storeRoutes,
  ...loaderRoutes,
  ...chunkRoutes,
  ...searchRoutes,
  configsRoute,
  estimateRoute,
  describeRoute,
  ...jobRoutes,
]
