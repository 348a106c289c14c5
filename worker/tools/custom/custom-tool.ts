/** Tools that the workspace wrote itself: a JavaScript function that runs in the sandbox. */
import { argumentsSchema, parseParameters } from '#contract/tools/parameters.ts'
import type { OwnTool, Sandbox, SandboxResult } from '../../ports/types.ts'
import { toolDefinition } from '../definition.ts'
import type { CallableTool, ToolContext, ToolType } from '../types.ts'

const CHOICE = 'selectedTool'

export const customTool: ToolType = {
  definition: {
    ...toolDefinition({
      label: 'Custom Tool',
      name: 'customTool',
      type: 'CustomTool',
      version: 3,
      description: 'A tool of this workspace, written in JavaScript',
      hint: 'Write tools under Tools in the menu. They run in the same sandbox as custom functions.',
      inputs: [
        { label: 'Select tool', name: CHOICE, type: 'asyncOptions', loadMethod: 'listCustomTools' },
        {
          label: 'Return direct',
          name: 'returnDirect',
          type: 'boolean',
          description: "Return the tool's output as the agent's response",
          optional: true,
        },
      ],
    }),
  },
  // Flowise's name of the method is `listTools`, which on our canvas lists the components.
  loadMethods: { listCustomTools: ({ own }) => own.listTools(), listTools: ({ own }) => own.listTools() },
  open: async (context) => [callable(await chosenTool(context), context)],
}

async function chosenTool({ config, own }: ToolContext): Promise<OwnTool> {
  const id = typeof config[CHOICE] === 'string' ? config[CHOICE] : ''
  if (!id) throw new Error('Custom Tool: choose a tool')
  const tool = await own.tool(id)
  if (!tool) throw new Error('Custom Tool: the chosen tool no longer exists. Choose another one.')
  if (!tool.func?.trim()) throw new Error(`Custom Tool: "${tool.name}" has no function. Write one under Tools.`)
  return tool
}

function callable(tool: OwnTool, { config, sandbox, signal }: ToolContext): CallableTool {
  return {
    name:
      tool.name
        .trim()
        .replace(/[^A-Za-z0-9_-]+/g, '_')
        .slice(0, 64) || 'custom_tool',
    description: tool.description,
    parameters: argumentsSchema(parseParameters(tool.schema)),
    hasEffect: true,
    returnDirect: config.returnDirect === true || config.returnDirect === 'true',
    async call(args, _key, step) {
      const globals = step?.globals(tool.func ?? '') ?? {}
      const { value } = await callFunction(tool, { args, globals, sandbox, signal })
      return value ?? ''
    },
  }
}

interface FunctionCall {
  args: Record<string, unknown>
  /** `$vars` and `$flow`; an argument of the same name goes first. */
  globals: Record<string, unknown>
  sandbox: Sandbox
  signal: AbortSignal
}

/** Runs the function; it reads the argument `city` as `$city`, which is null when it was left out. */
export function callFunction(
  { func, schema }: Pick<OwnTool, 'func' | 'schema'>,
  { args, globals, sandbox, signal }: FunctionCall,
): Promise<SandboxResult> {
  const code = func ?? ''
  const given = parseParameters(schema).map(({ property }) => [`$${property}`, args[property]])
  return sandbox.run({ code, globals: { ...globals, ...Object.fromEntries(given) }, signal })
}
