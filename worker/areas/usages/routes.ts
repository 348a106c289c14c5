import { describePermissions } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import { type AssetKind, usagesQuerySchema, usagesSchema } from '#contract/usages/usages.ts'
import { mayUse } from '../../http/permission.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { allowedTypes, flowAccess } from '../chatflows/index.ts'
import { readUsages } from './asset-users.ts'

/** View permissions per kind of asset, the same as for the lists of its area. */
const VIEWERS: Record<AssetKind, string> = {
  credential: 'credentials:view',
  variable: 'variables:view',
  tool: 'tools:view',
  mcpServer: 'tools:view',
  flow: flowAccess('view').permission,
  documentStore: 'documentStores:view',
  assistant: 'assistants:view',
}

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/usages',
    summary: 'List who uses an asset',
    description:
      'Flows, assistants, tools, MCP servers and document stores that use a credential, variable, tool, MCP server, flow, document store or assistant of a provider. Those that the caller may not view are only counted. Names of variables that code computes are not found.',
    answer: usagesSchema,
    access: { permission: [...new Set(Object.values(VIEWERS))].join(',') },
    query: usagesQuerySchema,
    async handle({ query, actor, services: { db, config } }) {
      const may = (permission: string) => mayUse({ permission }, actor, config.platformType)
      const permission = VIEWERS[query.kind]
      if (!may(permission)) {
        throw new HeddleError('forbidden', `You need the permission ${describePermissions(permission)} to see this`)
      }
      const viewer = {
        types: allowedTypes(actor, config, 'view', 'update'),
        assistants: may('assistants:view'),
        tools: may('tools:view'),
        documentStores: may('documentStores:view'),
      }
      return readUsages(db, memberOf(actor), { ...query, viewer })
    },
  }),
]
