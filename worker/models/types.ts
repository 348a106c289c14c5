/** A chat model provider: its definition for the canvas, and how to open it. One file per provider. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4ProviderTool,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider'
import type { ComponentDefinition, CredentialDefinition } from '#contract/flow/params/definition.ts'
import type { Egress } from '../ports/types.ts'

/** A model as the provider SDKs open it. */
export interface ChatModel extends LanguageModelV4 {
  doStream(options: CallOptions): PromiseLike<StreamedAnswer>
}

export interface StreamedAnswer extends LanguageModelV4StreamResult {
  /** Reads the answer instead of the stream: parts that arrive together come together. */
  parts?: PartReader
}

export interface PartReader {
  /** Resolves with the next parts, or with undefined at the end. */
  read(): Promise<LanguageModelV4StreamPart[] | undefined>
  cancel(reason: unknown): Promise<void>
}

/** A reader of the events of one answer. */
export interface AnswerEvents {
  /** Returns the parts that an event adds. Throws an Error for one that reports a failure, or is none of this protocol. */
  take(data: string): LanguageModelV4StreamPart[]
  /** Returns the parts that end the answer. Without a finish among them it was cut off. */
  end(): LanguageModelV4StreamPart[]
}

export type CallOptions = LanguageModelV4CallOptions
/** A tool that we run, or one that the provider runs on its servers. */
export type ModelTool = LanguageModelV4FunctionTool | LanguageModelV4ProviderTool
/** Temperature, token limit and other options of every call. */
type ModelSettings = Omit<CallOptions, 'prompt' | 'tools' | 'toolChoice' | 'responseFormat' | 'abortSignal'>

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
  /** The label of the node in whose settings the model was chosen. */
  nodeLabel?: string | undefined
}

export interface OpenModel {
  model: ChatModel
  /** As shown in traces: `gpt-4o-mini`. */
  modelName: string
  /** Derived from the config. */
  settings: ModelSettings
  /** False when its answers come at once although the caller listens. Default: true. */
  streams?: boolean
  /** Absent when the price is unknown. */
  price?: ModelPrice
  /** Returns built-in tools, which the provider runs on its servers. Absent when it has none. Throws an Error that names an unsupported tool. */
  builtInTools?(request: BuiltInRequest): BuiltInTools
}

interface BuiltInRequest {
  /** As flows store them: `web_search_preview`, `googleSearch`, `web_search_20250305`. */
  names: string[]
  /** True if the same call also has other tools. */
  besideOthers: boolean
}

interface BuiltInTools {
  /** With the names that the provider uses in calls. */
  tools: ModelTool[]
  /** The model to use with the tools, if it differs. */
  model?: ChatModel
}

export interface ModelProvider {
  definition: ComponentDefinition
  credential?: CredentialDefinition
  /** Opens the model, loading the provider's SDK on demand. Throws an Error that names a missing field. */
  open(request: OpenModelRequest): Promise<OpenModel>
}
