/** Runs of the Assistants API (version 2), at OpenAI, Azure or a compatible server, as their event streams say. */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { errorMessage } from '#contract/errors.ts'
import type { UsageMetadata } from '#contract/runs/events.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { ModelToolCall } from '../../../llm/model-call.ts'
import { EventStream } from '../../../models/streams/event-stream.ts'
import { openReader } from '../../../ports/limit-body.ts'
import type { OwnAssistant } from '../../../ports/types.ts'
import type { StepContext } from '../../types.ts'

const LIMITS = { timeoutMs: 600_000, maxBytes: 20_000_000 }

/** The output of a run until it ends, or waits for the outputs of tools. */
export interface AssistantTurn {
  thread: string
  run: string
  text: string
  calls: ModelToolCall[]
  usage?: UsageMetadata
}

export type AssistantCall = (method: 'POST' | 'DELETE', path: string, body?: object) => Promise<Response>

/** Returns what sends requests to the assistant's server. It throws an Error with the server's message. */
export function openAssistant(
  { address, headers, query }: OwnAssistant,
  { egress, signal }: Pick<StepContext, 'egress' | 'signal'>,
): AssistantCall {
  return async (method, path, body) => {
    const request = {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      signal,
      ...(body && { body: JSON.stringify(body) }),
    }
    const response = await egress.fetch(`${address}${path}${query}`, request, LIMITS)
    if (response.ok) return response
    const answer = tryParseJson(await response.text())
    const reason = isRecord(answer) && isRecord(answer.error) ? textOf(answer.error.message) : ''
    throw new Error(`OpenAI Assistant: ${reason || `the server answered ${response.status}`}`)
  }
}

/** @param speak gets the text as it comes. @throws Error that says why a run failed */
export async function readTurn(response: Response, speak: (text: string) => void): Promise<AssistantTurn> {
  const turn: AssistantTurn = { thread: '', run: '', text: '', calls: [] }
  const [events, decoder, reader] = [new EventStream(), new TextDecoder(), openReader(response)]
  let ended = false
  for (let bytes = await reader.read(); bytes; bytes = await reader.read())
    for (const data of events.push(decoder.decode(bytes, { stream: true }))) {
      const event = tryParseJson(data)
      if (isRecord(event)) ended = takeEvent(event, { turn, speak }) || ended
    }
  if (!ended) throw new Error('OpenAI Assistant: the answer was cut off')
  return turn
}

/** Returns true for the last event of a turn. */
function takeEvent(
  event: Record<string, unknown>,
  { turn, speak }: { turn: AssistantTurn; speak: (text: string) => void },
): boolean {
  if (event.object === 'thread.message.delta') {
    const said = textIn(event.delta)
    turn.text += said
    if (said) speak(said)
    return false
  }
  if (isRecord(event.error)) throw new Error(`OpenAI Assistant: ${textOf(event.error.message) || 'the run failed'}`)
  if (event.object !== 'thread.run') return false
  turn.thread = textOf(event.thread_id)
  turn.run = textOf(event.id)
  if (event.status === 'requires_action') turn.calls = callsIn(event.required_action)
  if (event.status === 'completed') turn.usage = usageIn(event.usage)
  if (['failed', 'expired', 'cancelled', 'incomplete'].includes(textOf(event.status)))
    throw new Error(`OpenAI Assistant: ${isRecord(event.last_error) ? textOf(event.last_error.message) : event.status}`)
  return event.status === 'requires_action' || event.status === 'completed'
}

function textIn(delta: unknown): string {
  const content = isRecord(delta) && Array.isArray(delta.content) ? delta.content : []
  return content.map((part) => (isRecord(part) && isRecord(part.text) ? textOf(part.text.value) : '')).join('')
}

function callsIn(action: unknown): ModelToolCall[] {
  const asked = isRecord(action) && isRecord(action.submit_tool_outputs) ? action.submit_tool_outputs.tool_calls : []
  return (Array.isArray(asked) ? asked : []).flatMap((call): ModelToolCall[] => {
    if (!isRecord(call) || !isRecord(call.function)) return []
    const { name, arguments: written } = call.function
    return [{ id: textOf(call.id), name: textOf(name), input: tryParseJson(textOf(written)) }]
  })
}

/** What the models of assistants cost is not known here. */
function usageIn(usage: unknown): UsageMetadata {
  const count = (name: string) => (isRecord(usage) && typeof usage[name] === 'number' ? (usage[name] as number) : 0)
  const [input, output] = [count('prompt_tokens'), count('completion_tokens')]
  const costs = { input_cost: 0, output_cost: 0, total_cost: 0, cost_is_partial: true }
  return { input_tokens: input, output_tokens: output, total_tokens: input + output, ...costs }
}

/** Says why a thread that is no longer needed stays. */
export const reportLeft = (error: unknown) => console.error('a thread of an assistant stays:', errorMessage(error))
