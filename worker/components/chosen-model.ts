/** The chat model that a person chose for one call outside a run. */
import { errorMessage, HeddleError } from '#contract/errors.ts'
import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import type { SelectedModel } from '#contract/generator/generator.ts'
import type { Tenant } from '#db/scope.ts'
import type { Services } from '../services.ts'
import { credentialIds } from './credentials.ts'
import { openWorkspaceComponents } from './workspace-components.ts'

/** A chat model as the canvas stores it: its component, and its inputs including the credential id. */
export interface ChosenModel {
  name: string
  config: Record<string, unknown>
}

/** Flowise sends the credential beside the inputs or among them. */
export function chosenModel({ name, inputs, credential }: SelectedModel): ChosenModel {
  return { name, config: { ...inputs, ...(credential ? { [CREDENTIAL_ID]: credential } : {}) } }
}

/** Throws `bad_request` when the model cannot be opened. */
export async function openChosenModel(
  services: Services,
  { tenant, signal }: { tenant: Tenant; signal: AbortSignal },
  { name, config }: ChosenModel,
) {
  const { open } = await openWorkspaceComponents(services, tenant, credentialIds(config))
  try {
    return await open({ id: 'model', inputs: { model: name, modelConfig: config } }, signal).model('model')
  } catch (error) {
    throw new HeddleError('bad_request', `selectedChatModel: ${errorMessage(error)}`, { field: 'selectedChatModel' })
  }
}
