/** Opens the components of one workspace, for a run or for the canvas. */
import type { OpenComponents } from '../engine/types.ts'
import { findCredentialType } from '../nodes/catalogue.ts'
import { createOpenComponents } from '../nodes/components.ts'
import { type CredentialRow, readFreshFields } from '../oauth/stored-tokens.ts'
import type { Egress, Flows, OwnTools, RequestPorts } from '../ports/types.ts'
import type { Services } from '../services.ts'
import type { CredentialFields } from './credentials.ts'

interface WorkspaceSecrets {
  workspaceId: string
  /** By id. */
  credentials: ReadonlyMap<string, CredentialRow>
  wrappedKey: string
}

/** Returns the decrypted fields, or undefined when the workspace has no such credential. */
export type ReadCredential = (id: string) => Promise<CredentialFields | undefined>

/** @param onRead told of each credential that is opened */
export function credentialReader(
  { db, cipher, clock }: Pick<Services, 'db' | 'cipher' | 'clock'>,
  { workspaceId, credentials, wrappedKey }: WorkspaceSecrets,
  { egress, onRead }: { egress: Egress; onRead?(row: CredentialRow): void | Promise<void> },
): ReadCredential {
  const context = { db, cipher, clock, tenant: { workspaceId }, wrappedKey, egress }
  return async (id) => {
    const row = credentials.get(id)
    if (!row) return undefined
    await onRead?.(row)
    return readFreshFields(context, row, findCredentialType(row.credentialName))
  }
}

interface ComponentOptions extends RequestPorts {
  readCredential: ReadCredential
  own: OwnTools
  /** Absent: components that call a flow fail. */
  flows?: Flows
}

export function openComponents({ clock }: Pick<Services, 'clock'>, options: ComponentOptions): OpenComponents {
  return createOpenComponents({ flows: noFlows, ...options, clock })
}

const refuseFlow = () => Promise.reject(new Error('Flows cannot be called outside a run'))

const noFlows: Flows = { run: refuseFlow, resume: refuseFlow }
