/** Runs the tools that a model calls. Arguments are validated data, never code. A failing tool returns its error to the model. */

import type { JSONSchema7 } from '@ai-sdk/provider'
import { errorMessage } from '#contract/errors.ts'
import type { Artifact } from '#contract/runs/artifacts.ts'
import type { UsageMetadata, UsedTool } from '#contract/runs/events.ts'
import { addUsage } from '#contract/runs/usage.ts'
import { flowGlobals } from '../inputs/function-globals.ts'
import { textOf } from '../inputs/node-inputs.ts'
import type { ToolMessage } from '../models/messages.ts'
import type { ModelTool } from '../models/types.ts'
import type { StepContext } from '../nodes/types.ts'
import { bounded } from '../providers/json-api.ts'
import { forModels } from '../tools/schema.ts'
import type { CallableTool, CallingStep } from '../tools/types.ts'
import type { ModelToolCall } from './model-call.ts'
import { schemaProblem } from './schema-problem.ts'

/** Characters; more would flood the model's context and the log. */
const MAX_OUTPUT = 100_000
const MAX_ERROR = 10_000

/** Returns the tools in the format of the provider SDKs. */
export function modelTools(tools: readonly Pick<CallableTool, 'name' | 'description' | 'parameters'>[]): ModelTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    inputSchema: forModels(parameters) as JSONSchema7,
  }))
}

/**
 * Runs one call. Throws only when the run is cancelled.
 * @param count how often this step has called this tool before
 * @returns the trace entry, artifacts, and usage of models inside the tool
 */
export async function useTool(
  call: ModelToolCall,
  { tools, count }: { tools: readonly CallableTool[]; count: number },
  context: StepContext,
): Promise<{ used: UsedTool; artifacts: Artifact[]; usage?: UsageMetadata }> {
  const used = { tool: call.name, toolInput: call.input }
  const started = context.clock.now().getTime()
  const milliseconds = () => context.clock.now().getTime() - started
  const { step, report } = createStep(context)
  try {
    const { callable, args } = readCall(call, tools)
    if (callable.hasEffect) await context.barrier()
    const output = shortened(await callable.call(args, `${context.idempotencyKey}-${call.name}-${count}`, step))
    const { cited, artifacts, usage } = report
    const documents = cited.length > 0 && { sourceDocuments: cited }
    return { used: { ...used, toolOutput: output, ...documents, milliseconds: milliseconds() }, artifacts, usage }
  } catch (error) {
    context.signal.throwIfAborted()
    return {
      used: { ...used, toolOutput: '', error: bounded(errorMessage(error), MAX_ERROR), milliseconds: milliseconds() },
      artifacts: [],
      usage: report.usage,
    }
  }
}

/** Returns the output, truncated when it is too long. */
function shortened(output: unknown): unknown {
  const words = textOf(output)
  return words.length > MAX_OUTPUT ? bounded(words, MAX_OUTPUT) : (output ?? '')
}

/** Returns the called tool and its validated arguments. @throws Error with a message for the model */
export function readCall<T extends CallableTool>(call: ModelToolCall, tools: readonly T[]) {
  const callable = tools.find(({ name }) => name === call.name)
  if (!callable) throw new Error(`Tool "${call.name}" does not exist. ${available(tools)}`)
  return { callable, args: checkedArguments(call.input, callable) }
}

/** @param note a person's comment, visible to the model only */
export function toolMessage(call: ModelToolCall, used: UsedTool, note = ''): ToolMessage {
  const text = [used.error ?? textOf(used.toolOutput), note].filter(Boolean).join('\n\n')
  const output = { type: used.error ? ('error-text' as const) : ('text' as const), value: text }
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: call.id, toolName: call.name, output }] }
}

/** Returns the arguments. @throws Error that says where they don't match the tool's schema */
export function checkedArguments(
  input: unknown,
  { parameters }: Pick<CallableTool, 'parameters'>,
): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new Error('The arguments must be a JSON object')
  const problem = schemaProblem(input, parameters, '2019-09')
  if (problem) throw new Error(`The arguments are invalid: ${problem.at}: ${problem.why}`)
  return input as Record<string, unknown>
}

/** What a tool reports to the step in addition to its output. */
interface ToolReport {
  cited: unknown[]
  artifacts: Artifact[]
  usage?: UsageMetadata
}

/** Returns the interface through which tools see the step, and the report they write to. */
export function createStep(context: StepContext): { step: CallingStep; report: ToolReport } {
  const { input, charge } = context
  const report: ToolReport = { cited: [], artifacts: [] }
  const step: CallingStep = {
    question: input.text,
    charge(usage) {
      report.usage = addUsage(report.usage, usage)
      charge(usage)
    },
    cite: (documents) => void report.cited.push(...documents),
    show: (artifacts) => void report.artifacts.push(...artifacts),
    globals: (code) => flowGlobals(code, context),
  }
  return { step, report }
}

/** Closes the connections of a step's tools. Ignores errors. */
export async function closeTools(tools: readonly CallableTool[]): Promise<void> {
  await Promise.allSettled(tools.map((tool) => tool.close?.()))
}

function available(tools: readonly CallableTool[]): string {
  return tools.length === 0 ? 'No tools are available' : `Available tools: ${tools.map(({ name }) => name).join(', ')}`
}
