/** Flows as tools over MCP: their settings, the tool that each is, and the messages. */
import * as z from 'zod'
import { isRecord } from '../data/json.ts'
import type { FlowNode } from '../flow/document/document.ts'
import { withMaxKeys } from '../schemas/max-keys.ts'

/** The newest first: a client that asks for another version gets this one. */
export const MCP_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

/** The method of a message that nobody answers begins like this. */
export const NOTIFICATION = 'notifications/'

const toolName = z
  .string()
  .trim()
  .max(64)
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'Use up to 64 letters, digits, _ and -')
const description = z.string().trim().max(2000)

/** A change of a flow's MCP server. Fields that are left out stay as they are. */
export const saveMcpServerSchema = z.object({
  enabled: z.boolean().optional(),
  toolName: toolName.optional(),
  description: description.optional(),
})
export type SaveMcpServer = z.infer<typeof saveMcpServerSchema>

export const flowMcpServerSchema = z
  .object({
    enabled: z.boolean(),
    toolName: z.string(),
    description: z.string(),
    token: z.string().optional().describe('Only in the answer to the call that made it'),
  })
  .meta({ id: 'FlowMcpServer' })
export type FlowMcpServerSettings = z.infer<typeof flowMcpServerSchema>

/** Returns a name for the tool that a flow is: `Tea & cakes` → `tea_cakes`. */
export function toolNameOf(flowName: string): string {
  const words = flowName.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.join('_').slice(0, 64) || 'flow'
}

const argumentsSchema = withMaxKeys(z.record(z.string(), z.unknown()))

/** A message of a client: a request has an `id`, a notification has none. */
export const rpcMessageSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(200), z.number()]).nullish(),
  method: z.string().max(200).optional().describe('Absent in answers, which need none'),
  params: withMaxKeys(
    z.looseObject({
      protocolVersion: z.string().max(100).optional(),
      name: z.string().max(200).optional(),
      arguments: argumentsSchema.nullish(),
    }),
  ).nullish(),
})
export type RpcMessage = z.infer<typeof rpcMessageSchema>

export const rpcAnswerSchema = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).nullable(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.object({ code: z.int(), message: z.string() }).optional(),
  })
  .meta({ id: 'McpAnswer' })
export type RpcAnswer = z.infer<typeof rpcAnswerSchema>

export const RPC_ERRORS = {
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  refused: -32001,
} as const

export interface McpTool {
  name: string
  description: string
  inputSchema: Record<string, unknown>
}

/** Returns the tool that a flow is: with a question, or with the form that it starts with. */
export function flowTool(
  { toolName: name, description }: { toolName: string; description: string },
  start: FlowNode | undefined,
): McpTool {
  const form = buildForm(start)
  const [argument, schema] = form
    ? (['form', form] as const)
    : (['question', { type: 'string', description: 'What to ask or tell the flow' }] as const)
  return {
    name,
    description,
    inputSchema: { type: 'object', properties: { [argument]: schema }, required: [argument] },
  }
}

function buildForm(start: FlowNode | undefined): object | undefined {
  const { startInputType, formInputTypes } = start?.data.inputs ?? {}
  if (startInputType !== 'formInput' || !Array.isArray(formInputTypes)) return undefined
  const fields = formInputTypes
    .filter(isRecord)
    .flatMap((field) =>
      typeof field.name === 'string' && field.name !== '' ? [[field.name, buildField(field)] as const] : [],
    )
  const properties = Object.fromEntries(fields)
  return { type: 'object', properties, required: Object.keys(properties) }
}

function buildField({ type, label, addOptions }: Record<string, unknown>): object {
  const description = typeof label === 'string' && label !== '' ? { description: label } : {}
  if (type === 'number' || type === 'boolean') return { type, ...description }
  const options = (Array.isArray(addOptions) ? addOptions : []).flatMap((item: unknown) =>
    isRecord(item) && typeof item.option === 'string' ? [item.option] : [],
  )
  const isChoice = type === 'options' && options.length > 0
  return { type: 'string', ...description, ...(isChoice && { enum: [...new Set(options)] }) }
}

const text = z.string().max(1_000_000)
const questionSchema = z.object({ question: text.min(1) })
const formSchema = z.object({ form: argumentsSchema })

/** Returns what a call sends to the flow, or the problem. */
export function readArguments(
  tool: McpTool,
  given: unknown,
): { question: string } | { form: Record<string, unknown> } | string {
  const isForm = Object.hasOwn(tool.inputSchema.properties as object, 'form')
  const read = (isForm ? formSchema : questionSchema).safeParse(given)
  if (read.success) return read.data
  return isForm ? 'Send the argument "form": an object' : 'Send the argument "question": a text'
}

/** Returns the tools with names of their own: those that share one get a part of their flow's id. */
export function withOwnNames<T extends { flowId: string; tool: McpTool }>(tools: readonly T[]): T[] {
  const counts = Map.groupBy(tools, ({ tool }) => tool.name)
  return tools.map((each) => {
    const { name } = each.tool
    if (counts.get(name)?.length === 1) return each
    return { ...each, tool: { ...each.tool, name: `${name.slice(0, 55)}_${each.flowId.slice(0, 8)}` } }
  })
}
