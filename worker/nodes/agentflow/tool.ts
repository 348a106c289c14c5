import { withoutSecrets } from '#contract/data/secrets.ts'
import { itemsOf, textOf } from '../../inputs/node-inputs.ts'
import { allInOrder } from '../../llm/settle-in-order.ts'
import { checkedArguments, closeTools, createStep } from '../../llm/tool-calls.ts'
import type { CallableTool } from '../../tools/types.ts'
import { agentflowNode } from '../shared/definition.ts'
import { updateStateParam } from '../shared/params.ts'
import type { NodeType, StepContext, StepResult } from '../types.ts'

const CHOICE = 'toolAgentflowSelectedTool'

export const toolNode: NodeType = {
  definition: agentflowNode({
    label: 'Tool',
    name: 'toolAgentflow',
    version: 1.2,
    type: 'Tool',
    color: '#d4a373',
    description: 'Runs a tool with fixed arguments, no model involved',
    hint: 'Arguments are validated against the tool’s schema. If the selection contains several tools, all of them run at once, each with the arguments it declares. If a tool fails, the step fails with its message.',
    inputs: [
      {
        label: 'Tool',
        name: CHOICE,
        formerName: 'selectedTool',
        type: 'asyncOptions',
        loadMethod: 'listTools',
        loadConfig: true,
      },
      {
        label: 'Tool input arguments',
        name: 'toolInputArgs',
        type: 'array',
        acceptVariable: true,
        refresh: true,
        array: [
          {
            label: 'Input argument name',
            name: 'inputArgName',
            type: 'asyncOptions',
            loadMethod: 'listToolInputArgs',
            refresh: true,
          },
          { label: 'Input argument value', name: 'inputArgValue', type: 'string', acceptVariable: true },
        ],
        description: 'The arguments for the tool. Some tools need none.',
        optional: true,
        show: { [CHOICE]: '.+' },
      },
      updateStateParam('toolUpdateState'),
    ],
  }),
  run,
}

async function run(context: StepContext): Promise<StepResult> {
  const { inputs, components, isLast, emit, signal } = context
  const name = textOf(inputs[CHOICE])
  if (!name) throw new Error('Choose a tool')
  const tools = await components.tools(CHOICE)
  try {
    const calls = tools.map((tool) => ({ tool, args: argumentsFor(tool, inputs.toolInputArgs, tools.length > 1) }))
    if (tools.some(({ hasEffect }) => hasEffect)) await context.barrier()
    const { step, report } = createStep(context)
    const key = ({ name }: CallableTool) => `${context.idempotencyKey}-${name}-0`
    const outputs = await allInOrder(calls.map(async ({ tool, args }) => tool.call(args, key(tool), step)))
    const content = outputs.map(textOf).join('\n')
    if (isLast && content) emit({ event: 'token', data: content })
    if (isLast && report.artifacts.length > 0) emit({ event: 'artifacts', data: report.artifacts })
    return {
      input: withoutSecrets({ toolInputArgs: calls[0]?.args ?? {}, selectedTool: name }),
      output: {
        content,
        ...(report.artifacts.length > 0 && { artifacts: report.artifacts }),
        ...(report.cited.length > 0 && { sourceDocuments: report.cited }),
        ...(report.usage && { usageMetadata: report.usage }),
      },
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    await closeTools(tools)
  }
}

/** Converts the arguments to the types that the tool declares. One of several tools gets only the arguments it declares. */
function argumentsFor(tool: CallableTool, rows: unknown, isOneOfSeveral: boolean): Record<string, unknown> {
  const declared = (tool.parameters.properties ?? {}) as Record<string, { type?: unknown }>
  const given = itemsOf(rows).flatMap(({ inputArgName, inputArgValue }): [string, unknown][] => {
    const name = textOf(inputArgName)
    if (name === '' || (isOneOfSeveral && !(name in declared))) return []
    return [[name, typed(inputArgValue, declared[name]?.type)]]
  })
  return checkedArguments(Object.fromEntries(given), tool)
}

/** The editor stores text; JSON, numbers and booleans are parsed from it. */
function typed(value: unknown, type: unknown): unknown {
  if (typeof value !== 'string') return type === 'string' ? textOf(value) : value
  const text = value.trim()
  if (type === 'string') return value
  if (/^[[{\\]/.test(text)) return parsed(text) ?? value
  if ((type === 'number' || type === 'integer') && text !== '' && Number.isFinite(Number(text))) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return value
}

/** Parses the text as JSON, as written or without the editor's escapes. */
function parsed(text: string): unknown {
  for (const candidate of [text, text.replace(/\\([[\]{}_*"])/g, '$1')]) {
    try {
      return JSON.parse(candidate)
    } catch {
      // Try the next candidate.
    }
  }
  return undefined
}
