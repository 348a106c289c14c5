/** Requests to the flow generator. */

import type { FlowDocument } from '#contract/flow/document/document.ts'
import { type Choices, chosenModel } from '#contract/flow/document/first-choices.ts'
import { CREDENTIAL_ID, serializeFlow } from '#contract/flow/document/serialize.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { PRACTICE_MODEL } from '#contract/flow/practice-model.ts'
import type { GenerateAnswer, GenerateRequest } from '#contract/generator/generator.ts'
import { api } from '../../api/client.ts'

/** A model with its settings, as node inputs store it. */
export type ModelChoice = { model?: string; modelConfig?: Record<string, unknown> }

export interface FlowRequest {
  question: string
  choice: ModelChoice
  /** The flow to change; null to start over. */
  present: FlowDocument | null
}

export function buildRequest({ question, choice, present }: FlowRequest): GenerateRequest {
  const { [CREDENTIAL_ID]: credential, model: _model, ...inputs } = choice.modelConfig ?? {}
  return {
    question,
    selectedChatModel: {
      name: choice.model ?? '',
      inputs,
      ...(typeof credential === 'string' && credential !== '' ? { credential } : {}),
    },
    ...(present ? { flowData: JSON.stringify(serializeFlow(present)) } : {}),
  }
}

/** Asks for a proposal. Rejects with ApiError, and when `signal` is aborted. */
export async function propose(generator: string, request: FlowRequest, signal: AbortSignal): Promise<GenerateAnswer> {
  const response = await api.stream(generator, buildRequest(request), signal)
  return (await response.json()) as GenerateAnswer
}

export const MODEL: InputParam = {
  label: 'Model',
  name: 'model',
  type: 'asyncOptions',
  loadMethod: 'listModels',
  loadConfig: true,
  description: 'Designs the flow. Its LLM and Agent nodes use it too.',
}

/**
 * Returns the model that the flow uses, or that of the only credential that fits a model. The practice model cannot
 * design: it is the last choice, and never that of a new flow.
 */
export function firstModel(flow: FlowDocument, choices: Choices, { isNew }: { isNew: boolean }): ModelChoice {
  const used = isNew ? {} : findModel(flow)
  if (used.model && used.model !== PRACTICE_MODEL) return used
  const only: ModelChoice = chosenModel(MODEL, choices)
  return only.model && only.model !== PRACTICE_MODEL ? only : used
}

/** Returns the first model that the flow uses, with its settings. */
export function findModel(flow: FlowDocument): ModelChoice {
  for (const { data } of flow.nodes) {
    const inputs = data.inputs ?? {}
    const name = Object.keys(inputs).find((key) => key.endsWith('Model') && inputs[key] && inputs[`${key}Config`])
    if (name === undefined) continue
    const { [name]: _self, ...config } = inputs[`${name}Config`] as Record<string, unknown>
    return { model: String(inputs[name]), modelConfig: { ...config, model: inputs[name] } }
  }
  return {}
}
