/** The parts of the SDKs' model interface that the practice model uses. */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'

export type { CallOptions, ChatModel as Model } from '../types.ts'
export type Generated = LanguageModelV4GenerateResult
export type StreamPart = LanguageModelV4StreamPart
export type FunctionTool = LanguageModelV4FunctionTool
export type FilePart = LanguageModelV4FilePart
