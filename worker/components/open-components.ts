/** Opens the components of one workspace, for a run or for the canvas. */
import type { OpenComponents } from '../engine/types.ts'
import { createOpenComponents } from '../nodes/components.ts'
import type { Flows } from '../nodes/types.ts'
import type { RequestPorts } from '../ports/types.ts'
import type { Services } from '../services.ts'
import { type CredentialFields, openCredential, type StoredCredential } from './credentials.ts'

export interface WorkspaceSecrets {
  /** By id. */
  credentials: ReadonlyMap<string, StoredCredential>
  wrappedKey: string
}

/** Returns the decrypted fields, or undefined when the workspace has no such credential. */
export type ReadCredential = (id: string) => Promise<CredentialFields | undefined>

export function credentialReader(
  { cipher }: Pick<Services, 'cipher'>,
  { credentials, wrappedKey }: WorkspaceSecrets,
): ReadCredential {
  return async (id) => {
    const row = credentials.get(id)
    return row && openCredential(row, wrappedKey, cipher)
  }
}

export interface ComponentOptions extends RequestPorts {
  readCredential: ReadCredential
  /** Absent: components that call a flow fail. */
  flows?: Flows
}

export function openComponents({ clock }: Pick<Services, 'clock'>, options: ComponentOptions): OpenComponents {
  return createOpenComponents({ flows: noFlows, ...options, clock })
}

const refuseFlow = () => Promise.reject(new Error('Flows cannot be called outside a run'))

const noFlows: Flows = { run: refuseFlow, resume: refuseFlow }
