/** What a component of the canvas may use while it is asked for choices: variables and credentials of the workspace, and the ways out. */
import { eq, inArray } from 'drizzle-orm'
import { readPath } from '#contract/flow/document/path.ts'
import { compileTemplate, type Lookup } from '#contract/flow/references/references.ts'
import { credentials, variables, workspaces } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { RequestPorts } from '../../ports/types.ts'
import type { Services } from '../../services.ts'
import { openCredential } from '../credentials/index.ts'

type Values = Record<string, unknown>

export interface ComponentContext extends RequestPorts {
  variables: Record<string, string>
  signal: AbortSignal
  /** The values with the workspace's variables in the place of `{{$vars.name}}`; other references stay as typed. */
  withVariables(values: Values): Values
  /** Undefined when the workspace has no such credential. */
  readCredential(id: string): Promise<Values | undefined>
}

const TIMEOUT_MS = 60_000
const MAX_VARIABLES = 1000

/** @param ids of the credentials that may be asked for */
export async function openComponentContext(
  services: Services,
  tenant: Tenant,
  ids: string[],
): Promise<ComponentContext> {
  const { db, cipher } = services
  const rows = scope(db, tenant)
  const [variableRows, credentialRows, [workspace]] = await db.batch([
    rows.select(variables).limit(MAX_VARIABLES),
    rows.select(credentials, inArray(credentials.id, ids)),
    db.select({ key: workspaces.wrappedKey }).from(workspaces).where(eq(workspaces.id, tenant.workspaceId)),
  ])
  const known = Object.fromEntries(variableRows.map(({ name, value }) => [name, value]))
  const lookup: Lookup = ({ root, path }) => (root === '$vars' ? readPath(known, path) : undefined)
  return {
    ...services.openOutside(),
    variables: known,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    withVariables: (values) => filled(values, lookup) as Values,
    async readCredential(id) {
      const row = credentialRows.find((each) => each.id === id)
      return row && workspace ? openCredential(row, workspace.key, cipher) : undefined
    },
  }
}

/** What comes in is not nested deeper than requests may be. */
function filled(value: unknown, lookup: Lookup): unknown {
  if (typeof value === 'string') return compileTemplate(value)?.(lookup) ?? value
  if (Array.isArray(value)) return value.map((item) => filled(item, lookup))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, filled(child, lookup)]))
}

/** The ids under either of the names that the file format has for them, anywhere in the values. */
export function credentialIds(values: unknown): string[] {
  if (typeof values !== 'object' || values === null) return []
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' && (name === 'FLOWISE_CREDENTIAL_ID' || name === 'credential')
      ? value
      : credentialIds(value),
  )
}
