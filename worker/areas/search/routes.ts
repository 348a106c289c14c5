import {
  SEARCH_KINDS,
  SEARCH_WINDOW,
  type SearchKind,
  searchQuerySchema,
  searchSchema,
} from '#contract/search/search.ts'
import { mayUse } from '../../http/permission.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { allowedTypes, flowAccess } from '../chatflows/index.ts'
import { find, findBuiltIn } from './finders.ts'

/** View permissions per kind, the same as for the lists of its area. */
const VIEWERS: Record<SearchKind, string> = {
  flow: flowAccess('view', 'update').permission,
  template: 'templates:custom',
  execution: 'executions:view',
  trigger: flowAccess('view', 'update').permission,
  credential: 'credentials:view',
  variable: 'variables:view',
  apikey: 'apikeys:view',
  tool: 'tools:view',
  documentStore: 'documentStores:view',
}

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/search',
    summary: 'Search the workspace',
    description: `Looks at the names of the ${SEARCH_WINDOW} newest flows of each type, saved templates, triggers, credentials, variables, API keys, tools and document stores, and at the questions of the ${SEARCH_WINDOW} newest runs. Includes built-in templates. Omits items the user has no permission to view.`,
    answer: searchSchema,
    access: 'signed-in',
    query: searchQuerySchema,
    async handle({ query, actor, services }) {
      const { platformType } = services.config
      const kinds = SEARCH_KINDS.filter((kind) => mayUse({ permission: VIEWERS[kind] }, actor, platformType))
      const types = allowedTypes(actor, services.config, 'view', 'update')
      const found = await find(services.db, memberOf(actor), { text: query.q, types, kinds })
      const seesBuiltIn = mayUse({ permission: 'templates:marketplace' }, actor, platformType)
      return { data: [...found, ...(seesBuiltIn ? await findBuiltIn(query.q) : [])] }
    },
  }),
]
