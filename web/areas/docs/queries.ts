import { queryOptions } from '@tanstack/react-query'
import type { OpenApiDocument } from '#contract/openapi.ts'
import { api } from '../../api/client.ts'
import { keys } from '../../api/query.ts'

/** Loads the OpenAPI document, which changes only with deployments. */
export const apiDocumentQuery = queryOptions({
  queryKey: keys.one('docs', 'openapi'),
  queryFn: () => api.get<OpenApiDocument>('/openapi.json'),
  staleTime: Number.POSITIVE_INFINITY,
})
