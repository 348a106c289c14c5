/** Files and vector stores at OpenAI, at Azure or on a compatible server, in Flowise's shape. */
import * as z from 'zod'
import { findProviderAssistantsSchema } from '#contract/assistants/provider-assistants.ts'
import {
  createVectorStoreSchema,
  deletedAtProviderSchema,
  MAX_PROVIDER_BODY_BYTES,
  MAX_PROVIDER_FILES,
  providerFileSchema,
  providerIdSchema,
  removedFilesSchema,
  removeFilesSchema,
  updateVectorStoreSchema,
  vectorStoreSchema,
  vectorStoreWithFilesSchema,
} from '#contract/assistants/provider-files.ts'
import { HeddleError } from '#contract/errors.ts'
import { auditExempt } from '../../http/audit.ts'
import { type Actor, memberOf, type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { openProviderApi } from './provider.ts'
import {
  addFiles,
  createVectorStore,
  deleteFile,
  deleteVectorStore,
  listVectorStores,
  readVectorStore,
  removeFiles,
  updateVectorStore,
  uploadFiles,
} from './provider-files.ts'

const query = findProviderAssistantsSchema
const params = z.object({ id: providerIdSchema })
const PATH = '/openai-assistants-vector-store'
const shared = {
  errors: ['unprocessable'] as const,
  access: { permission: 'assistants:create,assistants:update' },
  query,
}
const files = {
  body: z.object({}),
  maxBodyBytes: MAX_PROVIDER_BODY_BYTES,
  multipart: { files: { field: 'files', max: MAX_PROVIDER_FILES }, text: [] },
}

interface ProviderFileCall {
  services: Services
  actor: Actor
  query: z.infer<typeof query>
}

const open = ({ services, actor, query }: ProviderFileCall) => openProviderApi(services, memberOf(actor), query)

function requireFiles(files: File[]): File[] {
  if (files.length > 0) return files
  throw new HeddleError('bad_request', 'files: Send at least one file', { field: 'files' })
}

export const providerFileRoutes: Route[] = [
  route({
    ...shared,
    method: 'GET',
    path: PATH,
    summary: 'List the vector stores at a provider',
    answer: z.array(vectorStoreSchema),
    handle: async (given) => listVectorStores(await open(given)),
  }),
  route({
    ...shared,
    method: 'GET',
    path: `${PATH}/:id`,
    summary: 'Get a vector store with its files',
    answer: vectorStoreWithFilesSchema,
    params,
    handle: async (given) => readVectorStore(await open(given), given.params.id),
  }),
  route({
    ...shared,
    method: 'POST',
    path: PATH,
    summary: 'Create a vector store',
    audit: auditExempt.content,
    answer: vectorStoreSchema,
    body: createVectorStoreSchema,
    handle: async (given) => createVectorStore(await open(given), given.body),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: `${PATH}/:id`,
    summary: 'Change a vector store',
    audit: auditExempt.content,
    answer: vectorStoreSchema,
    params,
    body: updateVectorStoreSchema,
    handle: async (given) => updateVectorStore(await open(given), given.params.id, given.body),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: `${PATH}/:id`,
    summary: 'Delete a vector store',
    audit: auditExempt.content,
    answer: deletedAtProviderSchema,
    params,
    handle: async (given) => deleteVectorStore(await open(given), given.params.id),
  }),
  route({
    ...shared,
    ...files,
    method: 'POST',
    path: `${PATH}/:id`,
    summary: 'Upload files into a vector store',
    audit: auditExempt.content,
    answer: z.array(providerFileSchema),
    params,
    handle: async (given) => addFiles(await open(given), given.params.id, requireFiles(given.files)),
  }),
  route({
    ...shared,
    method: 'PATCH',
    path: `${PATH}/:id`,
    summary: 'Take files out of a vector store',
    audit: auditExempt.content,
    answer: removedFilesSchema,
    params,
    body: removeFilesSchema,
    handle: async (given) => removeFiles(await open(given), given.params.id, given.body.file_ids),
  }),
  route({
    ...shared,
    ...files,
    method: 'POST',
    path: '/openai-assistants-file/upload',
    summary: 'Upload files for assistants',
    audit: auditExempt.content,
    answer: z.array(providerFileSchema),
    handle: async (given) => uploadFiles(await open(given), requireFiles(given.files)),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/openai-assistants-file/:id',
    summary: 'Delete a file of assistants',
    audit: auditExempt.content,
    answer: deletedAtProviderSchema,
    params,
    handle: async (given) => deleteFile(await open(given), given.params.id),
  }),
]
