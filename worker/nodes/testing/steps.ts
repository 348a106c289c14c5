/** Test helpers: run one node on its own, with a scripted chat model. */
import type { LanguageModelV4Content, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { RunEvent } from '#contract/runs/events.ts'
import type { CallOptions, ChatModel } from '../../models/types.ts'
import type { Files, Flows, Knowledge, Tables, UpsertRecords } from '../../ports/types.ts'
import { ownTools } from '../../tools/testing/own-tools.ts'
import type { CallableTool } from '../../tools/types.ts'
import type { NodeType, StepComponents, StepContext, StepResult } from '../types.ts'

/** One response of the scripted model: text chunks, tool calls (name and JSON arguments), or an error. */
export type Answer =
  | string[]
  | { calls: [name: string, args: string][]; words?: string[]; thoughts?: string }
  | { error: unknown }

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
}

export interface ScriptedModel extends ChatModel {
  /** Streamed or not. */
  calls: CallOptions[]
  /** How often it was asked for a stream. */
  streams: number
}

/** Returns these answers in turn, then repeats the last one. */
export function scriptedModel(...answers: Answer[]): ScriptedModel {
  return modelThat((_options, turn) => answers[Math.min(turn, answers.length - 1)] as Answer)
}

/** @param answer gets the number of earlier calls */
export function modelThat(answer: (options: CallOptions, turn: number) => Answer): ScriptedModel {
  const next = (options: CallOptions) => {
    const given = answer(options, model.calls.push(options) - 1)
    if ('error' in given) throw given.error
    return given
  }
  const model: ScriptedModel = {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    calls: [],
    streams: 0,
    doGenerate: async (options) => {
      const given = next(options)
      return { content: contentOf(given), ...endOf(given), warnings: [] }
    },
    doStream: async (options) => {
      model.streams++
      return { stream: streamOf(chunksOf(next(options))) }
    },
  }
  return model
}

function streamOf(parts: LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    pull(controller) {
      const part = parts.shift()
      if (part) controller.enqueue(part)
      else controller.close()
    },
  })
}

type Spoken = Exclude<Answer, { error: unknown }>

const partsOf = (answer: Spoken) => (Array.isArray(answer) ? { words: answer, calls: [] } : { words: [], ...answer })

const endOf = (answer: Spoken) => ({
  finishReason: { unified: partsOf(answer).calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined } as const,
  usage,
})

const callsOf = (answer: Spoken) =>
  partsOf(answer).calls.map(
    ([toolName, input], index) => ({ type: 'tool-call', toolCallId: `call-${index}`, toolName, input }) as const,
  )

function contentOf(answer: Spoken): LanguageModelV4Content[] {
  const { words, thoughts }: { words: string[]; thoughts?: string } = partsOf(answer)
  return [
    ...(thoughts ? [{ type: 'reasoning' as const, text: thoughts }] : []),
    ...(words.length > 0 ? [{ type: 'text' as const, text: words.join('') }] : []),
    ...callsOf(answer),
  ]
}

function chunksOf(answer: Spoken): LanguageModelV4StreamPart[] {
  const { words, thoughts }: { words: string[]; thoughts?: string } = partsOf(answer)
  const reasoning: LanguageModelV4StreamPart[] = [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: thoughts ?? '' },
    { type: 'reasoning-end', id: 'r' },
  ]
  const text: LanguageModelV4StreamPart[] = [
    { type: 'text-start', id: 't' },
    ...words.map((delta) => ({ type: 'text-delta' as const, id: 't', delta })),
    { type: 'text-end', id: 't' },
  ]
  return [
    { type: 'stream-start', warnings: [] },
    ...(thoughts ? reasoning : []),
    ...(words.length > 0 ? text : []),
    ...callsOf(answer),
    { type: 'finish', ...endOf(answer) },
  ]
}

/** Returns the prompt of the model's n-th call as lines: `system: Be brief`. */
export function toldTo(model: ScriptedModel, call = 0): string[] {
  return (model.calls[call]?.prompt ?? []).map(({ role, content }) => {
    const parts =
      typeof content === 'string' ? [content] : content.map((part) => JSON.stringify('text' in part ? part.text : part))
    return `${role}: ${parts.join(' ').replace(/^"(.*)"$/, '$1')}`
  })
}

/** Rejects every call of another flow. */
export const noFlows: Flows = {
  run: () => Promise.reject(new Error('no other flow in this test')),
  resume: () => Promise.reject(new Error('no other flow in this test')),
}

/** Has no files. */
const noStore = () => Promise.reject(new Error('no document store in this test'))
export const noKnowledge: Knowledge = { search: noStore, documents: noStore }

const doNothing = async () => {}
export const noRecords: UpsertRecords = {
  known: async () => new Set(),
  note: doNothing,
  left: async () => [],
  forget: doNothing,
}

export const noTables: Tables = { query: () => Promise.reject(new Error('no tables in this test')) }

export const noFiles: Files = { read: async () => undefined, ofFlow: async () => undefined }

export interface StepRun {
  result: StepResult
  events: RunEvent[]
}

export interface StepSetting extends Partial<StepContext> {
  model?: ChatModel
  price?: { input: number; output: number }
  tools?: CallableTool[]
  credential?: Record<string, unknown>
  vectorSearch?: StepComponents['vectorSearch']
}

/** Has no vector stores. */
export const noVectors = () => Promise.reject(new Error('no vector store in this test'))

/** Runs a node with these inputs, and the declared defaults for missing ones. */
export async function runStep(
  node: NodeType,
  inputs: Record<string, unknown>,
  setting: StepSetting = {},
): Promise<StepRun> {
  const { model, price, tools = [], credential = {}, vectorSearch = noVectors, ...more } = setting
  const events: RunEvent[] = []
  const defaults = node.definition.inputs
    .filter((param) => param.default !== undefined)
    .map((param) => [param.name, param.default])
  const all = { ...Object.fromEntries(defaults), ...inputs }
  const result = await node.run({
    identity: {
      executionId: 'execution-1',
      workspaceId: 'workspace-1',
      chatflowId: 'flow-1',
      chatId: 'chat-1',
      sessionId: 'session-1',
      apiMessageId: 'message-1',
      calledBy: [],
    },
    node: { id: `${node.definition.name}_0`, name: node.definition.name, label: `${node.definition.label} 0` },
    inputs: all,
    rawInputs: all,
    input: { question: 'hello', history: [], text: 'hello' },
    state: {},
    pastHistory: [],
    runtimeHistory: [],
    variables: {},
    isLast: true,
    streaming: true,
    loopCount: 0,
    backEdges: [],
    charge: () => {},
    output: '',
    connected: async () => [],
    components: {
      own: ownTools(),
      model: async () => {
        if (!model) throw new Error('Choose a model')
        return { model, modelName: 'scripted', settings: {}, price }
      },
      tools: async () => tools.map((tool, item) => ({ ...tool, item })),
      vectorSearch,
      credential: async () => credential,
    },
    egress: { fetch: () => Promise.reject(new Error('no network in this test')) },
    sandbox: { run: () => Promise.reject(new Error('no sandbox in this test')) },
    clock: { now: () => new Date('2026-01-02T03:04:05.000Z'), sleep: async () => {} },
    flows: noFlows,
    files: noFiles,
    records: noRecords,
    tables: noTables,
    knowledge: noKnowledge,
    signal: new AbortController().signal,
    idempotencyKey: 'execution-1:node_0',
    emit: (event) => void events.push(event),
    barrier: async () => {},
    ...more,
  })
  return { result, events }
}
