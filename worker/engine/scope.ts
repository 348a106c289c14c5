/** Resolves references in a step. `undefined` leaves the text as typed. */

import { parseFencedJson } from '#contract/data/json.ts'
import { type Path, readPath } from '#contract/flow/document/path.ts'
import type { Lookup, Reference } from '#contract/flow/references/references.ts'
import type { ChatTurn, IterationContext, StepOutput } from '#contract/runs/events.ts'
import type { RunIdentity, RunInput, StepResult } from '../nodes/types.ts'
import { conversation } from '../text/conversation.ts'
import type { StepView } from './step-views.ts'

export interface ScopeSource {
  identity: RunIdentity
  input: RunInput
  pastHistory: readonly ChatTurn[]
  variables: Readonly<Record<string, string>>
  view: StepView
  /** How often the latest loop has jumped back; for a node with back edges, its own count. */
  loopCount: number
  /** The innermost iteration; absent outside of iterations. */
  iteration?: IterationContext
  now(): Date
  /** Returns the output of an earlier node, null if it was skipped, or undefined if there is no such node. */
  output(nodeId: string): StepOutput | null | undefined
}

type Read = (source: ScopeSource, reference: Reference) => unknown

/** Values that can't have a path. */
const PLAIN_VALUES: Record<string, (source: ScopeSource) => unknown> = {
  question: ({ input }) => input.question ?? input.text,
  file_attachment: ({ input }) => input.attachment ?? '',
  chat_history: ({ pastHistory, view }) => conversation([...pastHistory, ...view.history]),
  runtime_messages_length: ({ view }) => Math.max(0, view.history.length - 1),
  loop_count: ({ loopCount }) => loopCount,
  current_date_time: ({ now }) => now().toISOString(),
}

const VALUES: Record<string, Read> = {
  $flow: (source, { path }) => readPath(flowValues(source), path),
  $vars: ({ variables }, { path }) => readPath(variables, path),
  $iteration: ({ iteration }, { path }) => iteration && itemValue(iteration.value, path),
  $form: ({ input }, { path }) => readPath(input.form, path),
  $webhook: ({ input }, { path }) => readPath(input.webhook, path),
}

export function lookupIn(source: ScopeSource): Lookup {
  return (reference) => {
    const { root, path } = reference
    if (Object.hasOwn(PLAIN_VALUES, root)) return path.length === 0 ? PLAIN_VALUES[root]?.(source) : undefined
    if (Object.hasOwn(VALUES, root)) return VALUES[root]?.(source, reference)
    const output = source.output(root)
    return output === undefined ? undefined : outputValue(output, reference)
  }
}

/** Adds the node's own `{{ output }}` and `{{ output.a.b }}`, for its state updates. */
export function withOwnOutput(lookup: Lookup, { output, value }: Pick<StepResult, 'output' | 'value'>): Lookup {
  return (reference) => {
    if (reference.root !== 'output') return lookup(reference)
    if (reference.path.length === 0) return value === undefined ? text(output) : value
    return readPath(parseFencedJson(output.content ?? ''), reference.path) ?? readPath(output, reference.path)
  }
}

/** Returns the value at the path, or the item itself if it is not an object. */
function itemValue(item: unknown, path: Path): unknown {
  return typeof item === 'object' && item !== null ? readPath(item, path) : item
}

/** Returns the referenced output, or an empty text for a skipped node. */
function outputValue(output: StepOutput | null, { path }: Reference): unknown {
  if (output === null) return ''
  if (path.length === 0) return text(output)
  // As chat flows write it: the node's result, or a value in it.
  if (path[0] === 'data' && path[1] === 'instance') return instanceValue(output, path.slice(2))
  return readPath({ output }, path)
}

function instanceValue(output: StepOutput, path: Path): unknown {
  const value = output.json ?? text(output)
  if (path.length === 0) return value
  return readPath(typeof value === 'string' ? parseFencedJson(value) : value, path)
}

function text(output: StepOutput): unknown {
  return output.content ?? readPath(output, ['http', 'data']) ?? ''
}

function flowValues({ identity, pastHistory, view }: ScopeSource): Record<string, unknown> {
  return {
    chatflowid: identity.chatflowId,
    chatflowId: identity.chatflowId,
    chatId: identity.chatId,
    sessionId: identity.sessionId,
    apiMessageId: identity.apiMessageId,
    chatHistory: [...pastHistory, ...view.history],
    runtimeChatHistoryLength: Math.max(0, view.history.length - 1),
    state: view.state,
  }
}
