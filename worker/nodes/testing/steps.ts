/** Test helpers: run one node on its own, with a scripted chat model. */
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import type { RunEvent } from '#contract/runs/events.ts'
import type { Files } from '../../ports/types.ts'
import type { CallableTool } from '../../tools/types.ts'
import type { Flows, NodeType, StepContext, StepResult } from '../types.ts'

type StreamResult = Awaited<ReturnType<MockLanguageModelV4['doStream']>>
type Part = StreamResult['stream'] extends ReadableStream<infer Each> ? Each : never

/** One response of the scripted model: text chunks, tool calls (name and JSON arguments), or an error. */
export type Answer =
  | string[]
  | { calls: [name: string, args: string][]; words?: string[]; thoughts?: string }
  | { error: unknown }

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
}

/** Returns these answers in turn, then repeats the last one. */
export function scriptedModel(...answers: Answer[]): MockLanguageModelV4 {
  let turn = 0
  return new MockLanguageModelV4({
    doStream: async () => {
      const answer = answers[Math.min(turn++, answers.length - 1)] as Answer
      if ('error' in answer) throw answer.error
      return { stream: simulateReadableStream({ chunks: chunksOf(answer) }) }
    },
  })
}

function chunksOf(answer: Exclude<Answer, { error: unknown }>): Part[] {
  const words = Array.isArray(answer) ? answer : (answer.words ?? [])
  const calls = Array.isArray(answer) ? [] : answer.calls
  const thoughts = Array.isArray(answer) ? undefined : answer.thoughts
  const reasoning: Part[] = [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: thoughts ?? '' },
    { type: 'reasoning-end', id: 'r' },
  ]
  const text: Part[] = [
    { type: 'text-start', id: 't' },
    ...words.map((delta): Part => ({ type: 'text-delta', id: 't', delta })),
    { type: 'text-end', id: 't' },
  ]
  return [
    { type: 'stream-start', warnings: [] },
    ...(thoughts ? reasoning : []),
    ...(words.length > 0 ? text : []),
    ...calls.map(
      ([toolName, input], index): Part => ({ type: 'tool-call', toolCallId: `call-${index}`, toolName, input }),
    ),
    { type: 'finish', finishReason: { unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined }, usage },
  ]
}

/** Returns the prompt of the model's n-th call as lines: `system: Be brief`. */
export function toldTo(model: MockLanguageModelV4, call = 0): string[] {
  return (model.doStreamCalls[call]?.prompt ?? []).map(({ role, content }) => {
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
export const noFiles: Files = { read: async () => undefined }

export interface StepRun {
  result: StepResult
  events: RunEvent[]
}

export interface StepSetting extends Partial<StepContext> {
  model?: MockLanguageModelV4
  price?: { input: number; output: number }
  tools?: CallableTool[]
  credential?: Record<string, unknown>
}

/** Runs a node with these inputs, and the declared defaults for missing ones. */
export async function runStep(
  node: NodeType,
  inputs: Record<string, unknown>,
  setting: StepSetting = {},
): Promise<StepRun> {
  const { model, price, tools = [], credential = {}, ...more } = setting
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
    loopCount: 0,
    charge: () => {},
    components: {
      model: async () => {
        if (!model) throw new Error('Choose a model')
        return { model, modelName: 'scripted', settings: {}, price }
      },
      tools: async () => tools.map((tool, item) => ({ ...tool, item })),
      credential: async () => credential,
    },
    egress: { fetch: () => Promise.reject(new Error('no network in this test')) },
    sandbox: { run: () => Promise.reject(new Error('no sandbox in this test')) },
    clock: { now: () => new Date('2026-01-02T03:04:05.000Z'), sleep: async () => {} },
    flows: noFlows,
    files: noFiles,
    knowledge: { search: () => Promise.reject(new Error('no document store in this test')) },
    signal: new AbortController().signal,
    idempotencyKey: 'execution-1:node_0',
    emit: (event) => void events.push(event),
    barrier: async () => {},
    ...more,
  })
  return { result, events }
}
