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
  /** The node's `<param>Config` as Flowise stores it: modelName, temperature, basepath, ... */
  config: Record<string, unknown>
  /** The decrypted credential fields; empty when none is selected. */
  credential: Record<string, unknown>
  egress: Egress
}

export interface OpenModel {
  model: LanguageModel
  /** As shown in traces: `gpt-4o-mini`. */
  modelName: string
  /** Options for AI SDK calls, derived from the config: temperature, maxOutputTokens, topP, ... */
  settings: Record<string, unknown>
  /** Absent when the price is unknown. */
  price?: ModelPrice
  /** Returns built-in tools, which the provider runs on its servers. Absent when it has none. Throws an Error that names an unsupported tool. */
  builtInTools?(request: BuiltInRequest): BuiltInTools
}

export interface BuiltInRequest {
  /** As flows store them: `web_search_preview`, `googleSearch`, `web_search_20250305`. */
  names: string[]
  /** True if the same call also has other tools. */
  besideOthers: boolean
}

export interface BuiltInTools {
  /** By the names that the provider uses in calls. */
  tools: ToolSet
  /** The model to use with the tools, if it differs. */
  model?: LanguageModel
}

export interface ModelProvider {
  definition: ComponentDefinition
  credential?: CredentialDefinition
  /** Opens the model, loading the provider's SDK on demand. Throws an Error that names a missing field. */
  open(request: OpenModelRequest): Promise<OpenModel>
}
