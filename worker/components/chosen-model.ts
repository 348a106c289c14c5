/** The chat model that a person chose for one call outside a run. */
import { errorMessage, HeddleError } from '#contract/errors.ts'
import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import type { SelectedModel } from '#contract/generator/generator.ts'
import type { Tenant } from '#db/scope.ts'
import type { Redactor } from '../engine/redactor.ts'
import type { OpenModel } from '../models/types.ts'
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

export interface OpenChosen {
  open: OpenModel
  /** Does work with the model. No secret remains in what it returns, or in its error. */
  withoutSecrets<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Throws `bad_request` when the model cannot be opened. */
export async function openChosenModel(
  services: Services,
  { tenant, signal }: { tenant: Tenant; signal: AbortSignal },
  { name, config }: ChosenModel,
): Promise<OpenChosen> {
  const { open, redact } = await openWorkspaceComponents(services, tenant, credentialIds(config))
  try {
    const opened = open({ id: 'model', inputs: { model: name, modelConfig: config } }, signal)
    return { open: await opened.model('model'), withoutSecrets: (work) => redacted(work, redact) }
  } catch (error) {
    throw new HeddleError('bad_request', `selectedChatModel: ${redact(errorMessage(error))}`, {
      field: 'selectedChatModel',
    })
  }
}

async function redacted<Result>(work: () => Promise<Result>, redact: Redactor['redact']): Promise<Result> {
  try {
    return redact(await work())
  } catch (error) {
    const message = redact(errorMessage(error))
    throw message === errorMessage(error) ? error : new Error(message)
  }
}
