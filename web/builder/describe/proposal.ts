/** Requests to the flow generator. */
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { CREDENTIAL_ID, serializeFlow } from '#contract/flow/document/serialize.ts'
import type { GenerateAnswer, GenerateRequest } from '#contract/generator.ts'
import { api } from '../../api/client.ts'

/** A model with its settings, as node inputs store it. */
export type ModelChoice = { model?: string; modelConfig?: Record<string, unknown> }

export interface FlowRequest {
  question: string
  choice: ModelChoice
  /** The flow to change; null to start over. */
  present: FlowDocument | null
}

export function requestOf({ question, choice, present }: FlowRequest): GenerateRequest {
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
  const response = await api.stream(generator, requestOf(request), signal)
  return (await response.json()) as GenerateAnswer
}

/** Returns the first model that the flow uses, with its settings. */
export function modelOf(flow: FlowDocument): ModelChoice {
  for (const { data } of flow.nodes) {
    const inputs = data.inputs ?? {}
    const name = Object.keys(inputs).find((key) => key.endsWith('Model') && inputs[key] && inputs[`${key}Config`])
    if (name === undefined) continue
    const { [name]: _self, ...config } = inputs[`${name}Config`] as Record<string, unknown>
    return { model: String(inputs[name]), modelConfig: { ...config, model: inputs[name] } }
  }
  return {}
}
