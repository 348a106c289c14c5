/** Opens the components of one workspace, for a run or for the canvas. */
import type { OpenComponents } from '../engine/types.ts'
import { findCredentialType } from '../nodes/catalogue.ts'
import { createOpenComponents } from '../nodes/components.ts'
import { type CredentialRow, readFreshFields } from '../oauth/stored-tokens.ts'
import type { Flows, GuardedEgress, OwnTools, RequestPorts } from '../ports/types.ts'
import type { Services } from '../services.ts'
import { type CredentialFields, credentialSecrets, guardOf } from './credentials.ts'

interface WorkspaceSecrets {
  workspaceId: string
  /** By id. */
  credentials: ReadonlyMap<string, CredentialRow>
  wrappedKey: string
}

/** Returns the decrypted fields, or undefined when the workspace has no such credential (of the type, where one is named). */
export type ReadCredential = (id: string, type?: string) => Promise<CredentialFields | undefined>

interface Listeners {
  egress: GuardedEgress
  /** Told of each credential that is opened. */
  onRead?(row: CredentialRow): void | Promise<void>
  /** Told of the texts in it that may appear nowhere. */
  onSecrets(values: string[]): void
}

/** The only way to the secrets of credentials for what is going to use them: the listeners hear of each. */
export function credentialReader(
  { db, cipher, clock }: Pick<Services, 'db' | 'cipher' | 'clock'>,
  { workspaceId, credentials, wrappedKey }: WorkspaceSecrets,
  { egress, onRead, onSecrets }: Listeners,
): ReadCredential {
  const context = { db, cipher, clock, tenant: { workspaceId }, wrappedKey, egress }
  return async (id, type) => {
    const row = credentials.get(id)
    if (!row || (type !== undefined && row.credentialName !== type)) return undefined
    await onRead?.(row)
    const definition = findCredentialType(row.credentialName)
    const fields = await readFreshFields(context, row, definition)
    onSecrets(credentialSecrets(definition, fields))
    egress.guard(guardOf(row, definition, fields))
    return fields
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
