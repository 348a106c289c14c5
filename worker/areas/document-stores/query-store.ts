/** Searches a store for the people who made it. */
import type { QueryAnswer, QueryStore } from '#contract/document-stores/search.ts'
import { errorMessage, HeddleError } from '#contract/errors.ts'
import { isDatabaseFailure } from '#db/database-failure.ts'
import type { Tenant } from '#db/scope.ts'
import { searchStore } from '../../components/knowledge/search-store.ts'
import { createRedactor } from '../../engine/redactor.ts'
import type { Services } from '../../services.ts'
import { storeNotFound } from './read-stores.ts'

/** Throws `not_found`, and `unprocessable` with the words of a provider that refused. */
export async function queryStore(
  services: Services,
  tenant: Tenant,
  { query, signal }: { query: QueryStore; signal: AbortSignal },
): Promise<QueryAnswer> {
  const redactor = createRedactor()
  try {
    const answer = await searchStore(services, tenant, {
      ...services.openOutside(tenant.workspaceId),
      ...{ storeId: query.storeId, query: query.query, signal },
      ...(query.inputs && { asked: query.inputs }),
      onSecrets: (values) => redactor.add(values),
    })
    if (!answer) throw storeNotFound(query.storeId)
    return answer
  } catch (error) {
    // A failure of the database is not the caller's.
    if (error instanceof HeddleError || isDatabaseFailure(error)) throw error
    throw new HeddleError('unprocessable', String(redactor.redact(errorMessage(error))))
  }
}
