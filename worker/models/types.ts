/** A chat model provider: its definition for the canvas, and how to open it. One file per provider. */
import type { LanguageModel } from 'ai'
import type { ComponentDefinition, CredentialDefinition } from '#contract/flow/definition.ts'
import type { Egress } from '../ports/types.ts'

export interface ModelPrice {
  /** US dollars per million tokens. */
  input: number
  output: number
}

export interface OpenModelRequest {
  /** The node's `<param>Config`: modelName, temperature, basepath, ... as Flowise stores them. */
  config: Record<string, unknown>
  /** The decrypted credential's fields; empty when none was chosen. */
  credential: Record<string, unknown>
  egress: Egress
}

export interface OpenModel {
  model: LanguageModel
  /** As shown in traces: `gpt-4o-mini`. */
  modelName: string
  /** Options for the AI SDK call made from the config: temperature, maxOutputTokens, topP, ... */
  settings: Record<string, unknown>
  /** Absent when not known. */
  price?: ModelPrice
}

export interface ModelProvider {
  definition: ComponentDefinition
  credential?: CredentialDefinition
  /** Loads the provider's SDK on demand. Throws an Error that says what is missing (`OpenAI needs a credential: ...`). */
  open(request: OpenModelRequest): Promise<OpenModel>
}
