/** The AI SDK's model interface, derived from its exported type. */
import type { LanguageModel } from 'ai'

export type Model = Extract<LanguageModel, { specificationVersion: 'v4' }>
export type CallOptions = Parameters<Model['doGenerate']>[0]
export type Generated = Awaited<ReturnType<Model['doGenerate']>>
export type StreamPart =
  Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never
export type FunctionTool = Extract<NonNullable<CallOptions['tools']>[number], { type: 'function' }>
export type FilePart = Extract<
  Extract<CallOptions['prompt'][number], { role: 'user' }>['content'][number],
  { type: 'file' }
>
