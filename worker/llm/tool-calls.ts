/** Running the tools that a model asks for. What the model wrote is checked data, never code; a failing tool tells the model so. */

import { jsonSchema, type ToolModelMessage, type ToolSet, tool } from 'ai'
import type { Artifact } from '#contract/artifacts.ts'
import { errorMessage } from '#contract/errors.ts'
import type { UsageMetadata, UsedTool } from '#contract/events.ts'
import { addUsage } from '#contract/usage.ts'
import { textOf } from '../nodes/shared/inputs.ts'
import type { StepContext } from '../nodes/types.ts'
import { forModels } from '../tools/schema.ts'
import type { CallableTool, CallingStep } from '../tools/types.ts'
import { bounded } from '../tools/web/json-api.ts'
import type { ModelToolCall } from './model-call.ts'
import { schemaProblem } from './schema-problem.ts'

/** A model would drown in more, and so would the log. */
const MAX_OUTPUT = 100_000
const MAX_ERROR = 10_000

/** The tools as the model is told of them; calls come back here instead of being run by the SDK. */
export function toolSet(tools: readonly CallableTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(forModels(parameters)) }),
    ]),
  )
}

/**
 * Runs one call. Only a stop of the run is thrown.
 * @param count how often this step called this tool before
 * @returns what the trace shows, what people may look at, and what models used on the tool's behalf
 */
export async function useTool(
  call: ModelToolCall,
  { tools, count }: { tools: readonly CallableTool[]; count: number },
  context: StepContext,
): Promise<{ used: UsedTool; artifacts: Artifact[]; usage?: UsageMetadata }> {
  const used = { tool: call.name, toolInput: call.input }
  const { step, told } = stepOf(context)
  try {
    const { callable, args } = readCall(call, tools)
    if (callable.hasEffect) await context.barrier()
    const output = shortened(await callable.call(args, `${context.idempotencyKey}-${call.name}-${count}`, step))
    const { cited, artifacts, usage } = told
    const documents = cited.length > 0 && { sourceDocuments: cited }
    return { used: { ...used, toolOutput: output, ...documents }, artifacts, usage }
  } catch (thrown) {
    context.signal.throwIfAborted()
    return {
      used: { ...used, toolOutput: '', error: bounded(errorMessage(thrown), MAX_ERROR) },
      artifacts: [],
      usage: told.usage,
    }
  }
}

/** As it is, or the beginning of its words when these are too many. */
function shortened(output: unknown): unknown {
  const words = textOf(output)
  return words.length > MAX_OUTPUT ? bounded(words, MAX_OUTPUT) : (output ?? '')
}

/** The tool that a call means, and its arguments. @throws Error that the model can learn from */
export function readCall<T extends CallableTool>(call: ModelToolCall, tools: readonly T[]) {
  const callable = tools.find(({ name }) => name === call.name)
  if (!callable) throw new Error(`There is no tool "${call.name}". ${available(tools)}`)
  return { callable, args: checkedArguments(call.input, callable) }
}

/** @param note of a person, for the model alone */
export function toolMessage(call: ModelToolCall, used: UsedTool, note = ''): ToolModelMessage {
  const text = [used.error ?? textOf(used.toolOutput), note].filter(Boolean).join('\n\n')
  const output = { type: used.error ? ('error-text' as const) : ('text' as const), value: text }
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: call.id, toolName: call.name, output }] }
}

/** @throws Error that names what does not fit the tool's schema */
export function checkedArguments(
  input: unknown,
  { parameters }: Pick<CallableTool, 'parameters'>,
): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new Error('The arguments must be a JSON object')
  const problem = schemaProblem(input, parameters, '2019-09')
  if (problem) throw new Error(`The arguments do not fit: ${problem.at}: ${problem.why}`)
  return input as Record<string, unknown>
}

/** What a tool told the step beside its answer. */
export interface Told {
  cited: unknown[]
  artifacts: Artifact[]
  usage?: UsageMetadata
}

/** What tools may know of the step, and what they tell it. */
export function stepOf({ input, charge }: StepContext): { step: CallingStep; told: Told } {
  const told: Told = { cited: [], artifacts: [] }
  const step: CallingStep = {
    question: input.text,
    charge(usage) {
      told.usage = addUsage(told.usage, usage)
      charge(usage)
    },
    cite: (documents) => void told.cited.push(...documents),
    show: (artifacts) => void told.artifacts.push(...artifacts),
  }
  return { step, told }
}

/** Ends what the tools of a step keep open. How that goes matters to nobody. */
export async function closeTools(tools: readonly CallableTool[]): Promise<void> {
  await Promise.allSettled(tools.map((tool) => tool.close?.()))
}

function available(tools: readonly CallableTool[]): string {
  return tools.length === 0 ? 'There are no tools' : `The tools are: ${tools.map(({ name }) => name).join(', ')}`
}
