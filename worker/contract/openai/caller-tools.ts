/** Tools that a caller brings along: a flow's model may call them, and the caller runs them. */
import * as z from 'zod'
import { HeddleError } from '../errors.ts'
import type { CallerTools, ToolExchange } from '../runs/caller-tools.ts'
import { withMaxKeys } from '../schemas/max-keys.ts'

const MAX_CALLER_TOOLS = 128

const toolName = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'Use up to 64 letters, digits, _ and -')
  .max(64)

const toolSchema = z.object({
  type: z.literal('function', 'Only tools of type "function" are supported'),
  function: z.object({
    name: toolName,
    description: z.string().max(10_000).nullish(),
    parameters: withMaxKeys(z.record(z.string(), z.unknown())).nullish().describe('JSON Schema'),
  }),
})

export const callerToolsSchema = z.object({
  tools: z.array(toolSchema).max(MAX_CALLER_TOOLS).nullish(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.object({ type: z.literal('function'), function: z.object({ name: toolName }) }),
    ])
    .nullish(),
})

/** For the schemas of all tools of a call. */
const MAX_CHARACTERS = 256 * 1024

/**
 * Returns the tools of a call with what was said about them; undefined when it says nothing of tools. Throws
 * `bad_request`.
 */
export function toCallerTools(
  { tools, tool_choice: choice }: z.infer<typeof callerToolsSchema>,
  exchange: ToolExchange[],
): CallerTools | undefined {
  const given = (tools ?? []).map(({ function: { name, description, parameters } }) => ({
    name,
    description: description ?? '',
    parameters: parameters ?? { type: 'object', properties: {} },
  }))
  if (given.length === 0 && exchange.length === 0) return undefined
  const twice = given.find(({ name }, index) => given.findIndex((tool) => tool.name === name) !== index)
  if (twice) throw wrong('tools', `Two tools are called "${twice.name}"`)
  if (JSON.stringify(given).length > MAX_CHARACTERS) {
    throw wrong('tools', `All tools together have at most ${MAX_CHARACTERS} characters`)
  }
  const named = typeof choice === 'object' ? choice?.function.name : undefined
  if (named !== undefined && !given.some(({ name }) => name === named)) {
    throw wrong('tool_choice', `There is no tool "${named}"`)
  }
  return {
    tools: given,
    choice: named === undefined ? ((choice as CallerTools['choice']) ?? 'auto') : { name: named },
    exchange,
  }
}

function wrong(field: string, problem: string): HeddleError {
  return new HeddleError('bad_request', `${field}: ${problem}`, { field })
}
