/** A chat model provider: its definition for the canvas, and how to open it. One file per provider. */
import type { LanguageModel, ToolSet } from 'ai'
import type { ComponentDefinition, CredentialDefinition } from '#contract/flow/params/definition.ts'
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
  /** Tools that the provider runs on its side. Absent when it has none. Throws an Error that names what cannot be had. */
  builtInTools?(request: BuiltInRequest): BuiltInTools
}

export interface BuiltInRequest {
  /** As flows store them: `web_search_preview`, `googleSearch`, `web_search_20250305`. */
  names: string[]
  /** Whether the model is told of other tools in the same call. */
  besideOthers: boolean
}

export interface BuiltInTools {
  /** Under the names by which the provider calls them. */
  tools: ToolSet
  /** The model to use with them, when another one is needed. */
  model?: LanguageModel
}

export interface ModelProvider {
  definition: ComponentDefinition
  credential?: CredentialDefinition
  /** Loads the provider's SDK on demand. Throws an Error that says what is missing (`OpenAI needs a credential: ...`). */
  open(request: OpenModelRequest): Promise<OpenModel>
}
