/** Components as the canvas uses them outside a run: to load options, to list tools, to ask a model. */

import { eq, inArray } from 'drizzle-orm'
import { MAX_VARIABLES } from '#contract/variables/variables.ts'
import { credentials, variables, workspaces } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { createRedactor, type Redactor } from '../engine/redactor.ts'
import type { OpenComponents } from '../engine/types.ts'
import type { OwnTools, RequestPorts } from '../ports/types.ts'
import type { Services } from '../services.ts'
import { writeCredentialUse } from './credential-use.ts'
import { credentialReader, openComponents, type ReadCredential } from './open-components.ts'
import { openOwnTools } from './own-tools.ts'
import { openVariables, type VariableRow } from './workspace-variables.ts'

type Values = Record<string, unknown>

export interface WorkspaceComponents extends RequestPorts {
  /** The workspace's variables by name. */
  variables: Record<string, string>
  /** Removes the values of secret variables, and the secrets of credentials that were read. */
  redact: Redactor['redact']
  /** Aborts after a minute. */
  signal: AbortSignal
  /** Returns the values with `{{$vars.name}}` resolved; other references stay as typed. */
  withVariables(values: Values): Values
  readCredential: ReadCredential
  own: OwnTools
  open: OpenComponents
}

const TIMEOUT_MS = 60_000

/** @param ids the credentials that components may read */
export async function openWorkspaceComponents(
  services: Services,
  tenant: Tenant,
  ids: string[],
): Promise<WorkspaceComponents> {
  const { db } = services
  const rows = scope(db, tenant)
  const [variableRows, credentialRows, [workspace]] = await db.batch([
    rows.select(variables).limit(MAX_VARIABLES),
    rows.select(credentials, inArray(credentials.id, ids)),
    db.select({ wrappedKey: workspaces.wrappedKey }).from(workspaces).where(eq(workspaces.id, tenant.workspaceId)),
  ])
  if (!workspace) throw new Error(`Workspace ${tenant.workspaceId} not found`)
  const { wrappedKey } = workspace
  const { known, withVariables, secrets } = await openVariables(services, variableRows as VariableRow[], wrappedKey)
  const redactor = createRedactor()
  redactor.add(secrets)
  const byId = new Map(credentialRows.map((row) => [row.id as string, row as typeof credentials.$inferSelect]))
  const ports = services.openOutside(tenant.workspaceId)
  const owned = { workspaceId: tenant.workspaceId, credentials: byId, wrappedKey }
  const readCredential = credentialReader(services, owned, {
    egress: ports.egress,
    onRead: (row) => writeCredentialUse(services, tenant, row),
    onSecrets: (values) => redactor.add(values),
  })
  const own = openOwnTools(services, tenant, { egress: ports.egress, onSecrets: (values) => redactor.add(values) })
  return {
    ...ports,
    variables: known,
    redact: redactor.redact,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    withVariables,
    readCredential,
    own,
    open: openComponents(services, { ...ports, readCredential, own }),
  }
}
