/** Previews, vector settings and queries of document stores. */
import { previewLoaderSchema, previewSchema } from '#contract/document-stores/loaders.ts'
import { queryAnswerSchema, queryStoreSchema } from '#contract/document-stores/search.ts'
import { documentStoreSchema, saveVectorConfigSchema } from '#contract/document-stores/stores.ts'
import { auditExempt } from '../../http/audit.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { previewLoader } from './preview.ts'
import { queryStore } from './query-store.ts'
import { viewerOf } from './store-viewer.ts'
import { saveVectorConfig } from './vector-config.ts'

const access = { permission: 'documentStores:update' }

/** The limit of a loader with its files in base64. Larger files are sent on their own. */
export const LOADER_BODY_BYTES = 32 * 1024 ** 2

export const searchRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/document-store/loader/preview',
    summary: 'Read and cut what a loader would, without keeping it',
    audit: auditExempt.read,
    description: 'Reads at most three pages of websites and services, and ten of files.',
    answer: previewSchema,
    errors: ['not_found'],
    access,
    limit: { max: 60, windowSeconds: 60 },
    maxBodyBytes: LOADER_BODY_BYTES,
    body: previewLoaderSchema,
    async handle({ body, actor, services, context }) {
      return previewLoader(services, memberOf(actor), { given: body, signal: context.req.raw.signal })
    },
  }),

  ...(['save', 'update'] as const).map((name) =>
    route({
      method: 'POST',
      path: `/document-store/vectorstore/${name}`,
      summary: `${name === 'save' ? 'Set' : 'Change'} how a document store is embedded, kept and searched`,
      audit: auditExempt.content,
      description: name === 'save' ? 'What is left out is reset.' : 'What is left out stays; null resets it.',
      answer: documentStoreSchema,
      errors: ['not_found'],
      access,
      body: saveVectorConfigSchema,
      async handle({ body, actor, services }) {
        const isStrict = name === 'save'
        return saveVectorConfig(services, viewerOf(services, memberOf(actor)), { given: body, isStrict })
      },
    }),
  ),

  route({
    method: 'POST',
    path: '/document-store/vectorstore/query',
    summary: 'Search a document store',
    audit: auditExempt.read,
    description: '`inputs` override the store’s settings for this search.',
    answer: queryAnswerSchema,
    errors: ['not_found', 'unprocessable'],
    access: { permission: 'documentStores:view' },
    body: queryStoreSchema,
    async handle({ body, actor, services, context }) {
      return queryStore(services, memberOf(actor), { query: body, signal: context.req.raw.signal })
    },
  }),
]
