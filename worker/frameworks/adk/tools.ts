/** The tools of an agent. */
import { READY_TOOLS, type SettingRule, TOOL_CLASSES } from '#contract/frameworks/adk.ts'
import type { YamlPair, YamlText, YamlValue } from '../python-yaml.ts'
import { readAgentReference } from './agent-references.ts'
import { checkCode } from './code-names.ts'
import type { Setting, ToolReference } from './design.ts'
import type { FileNotes } from './file-notes.ts'
import { excerpt, type Keyed, nameOf, readJson, readPairs, readSetting } from './plain-values.ts'

export function readTools({ path, pair }: Keyed, notes: FileNotes): ToolReference[] {
  if (pair.value.kind !== 'list') {
    notes.refuse(pair.value.span, `${path} must be a list.`)
    return []
  }
  notes.note(path, pair.key.span)
  return pair.value.items.flatMap((item, index) => readTool(item, `${path}[${index}]`, notes) ?? [])
}

function readTool(item: YamlValue, path: string, notes: FileNotes): ToolReference | undefined {
  const pairs = readPairs(item, path, notes)
  if (!pairs) return undefined
  const pairOf = (key: string) => pairs.find(({ pair }) => pair.key.value === key)?.pair
  for (const { path: wrong, pair } of pairs.filter(({ pair }) => !['name', 'args'].includes(String(pair.key.value))))
    notes.refuse(pair.key.span, `${wrong} is unknown: a tool has a name and args.`)
  const name = pairOf('name')?.value
  if (name?.kind !== 'text') {
    notes.refuse((name ?? item).span, `${path} needs the name of a tool${name ? `, and not ${nameOf(name)}` : ''}.`)
    return undefined
  }
  return readNamedTool({ name, item, args: pairOf('args') }, path, notes)
}

interface WrittenTool {
  name: YamlText
  args: YamlPair | undefined
  item: YamlValue
}

function readNamedTool(tool: WrittenTool, path: string, notes: FileNotes): ToolReference | undefined {
  const name = tool.name.value
  const known = builtInName(name)
  const args = tool.args && tool.args.value.kind !== 'null' ? tool.args.value : undefined
  if (args && args.kind !== 'map') {
    notes.refuse(args.span, `${path}.args must be a map of keys and values.`)
    return undefined
  }
  if (known === 'AgentTool') return readAgentTool(tool, path, notes)
  const read = args ? readJson(args, `${path}.args`, notes) : null
  if (args) notes.note(`${path}.args`, args.span)
  const at = { name, span: tool.item.span }
  if ((READY_TOOLS as readonly string[]).includes(known)) {
    const reason = `${known} takes no arguments`
    if (args && FUNCTIONS.includes(known)) notes.refuse(args.span, `${path}.args: ${reason}.`)
    else if (args) notes.note(`${path}.args`, args.span, 'changed', `${reason}: they have no effect.`)
    notes.note(path, tool.name.span)
    return { ...at, kind: 'ready' }
  }
  if ((TOOL_CLASSES as readonly string[]).includes(known)) {
    noteToolClass(known, { path, tool }, notes)
    return { ...at, kind: 'class', args: read }
  }
  if (!name.includes('.')) {
    notes.refuse(tool.name.span, `${path}: ADK has no tool called “${excerpt(name)}”.`)
    return undefined
  }
  return checkCode(tool.name, { path }, notes) && { ...at, kind: 'code', args: read }
}

/** Ready tools that ADK would call with the arguments. */
const FUNCTIONS = ['exit_loop', 'transfer_to_agent']

const BUILT_IN = /^google\.adk\.tools\.(?:[a-z_]+\.){0,2}(\w{1,40})$/

/** Returns the short name of a tool that comes with ADK, and any other name as it is. */
const builtInName = (name: string) => BUILT_IN.exec(name)?.[1] ?? name

const MCP_CONNECTIONS = [
  'stdio_server_params',
  'stdio_connection_params',
  'sse_connection_params',
  'streamable_http_connection_params',
]
const FUNCTION_TOOLS = ['LongRunningFunctionTool', 'FunctionTool']

/** Tools that only call a service are settings; others hold the name of a function, or start a process. */
function noteToolClass(known: string, { path, tool }: { path: string; tool: WrittenTool }, notes: FileNotes): void {
  notes.note(path, tool.name.span)
  const args = tool.args?.value
  const argument = (key: string) =>
    args?.kind === 'map' ? args.pairs.find((pair) => pair.key.value === key)?.value : undefined
  if (FUNCTION_TOOLS.includes(known)) {
    const func = argument('func')
    if (func) checkCode(func, { path: `${path}.args.func` }, notes)
    else notes.refuse(tool.item.span, `${path}: ${known} needs args with a func, the name of a function in Python.`)
  }
  if (known.toLowerCase() === 'mcptoolset') {
    const connections = MCP_CONNECTIONS.filter((key) => (argument(key) ?? { kind: 'null' }).kind !== 'null')
    if (connections.length !== 1)
      notes.refuse(tool.item.span, `${path}: ${known} needs args with one of ${MCP_CONNECTIONS.join(', ')}.`)
  }
  const process = argument('stdio_server_params') ?? argument('stdio_connection_params')
  if (!process || process.kind === 'null') return
  const reason = 'Runs in real ADK only: an MCP server that is started as a process. Give it a stand-in to run it here.'
  notes.note(`${path}.args`, process.span, 'unsupported', reason)
  notes.task('standIn', process.span, reason)
}

const AGENT_TOOL: Readonly<Record<string, SettingRule>> = {
  skip_summarization: { type: 'flag' },
  include_plugins: { type: 'flag' },
}

function readAgentTool({ name, args, item }: WrittenTool, path: string, notes: FileNotes): ToolReference | undefined {
  const pairs = args && readPairs(args.value, `${path}.args`, notes)
  const agent = pairs?.find(({ pair }) => pair.key.value === 'agent')
  if (!pairs || !agent) {
    notes.refuse(item.span, `${path}: AgentTool needs args with the agent that it calls.`)
    return undefined
  }
  const settings = new Map<string, Setting>()
  for (const keyed of pairs.filter((each) => each !== agent)) {
    const key = String(keyed.pair.key.value)
    const rule = Object.hasOwn(AGENT_TOOL, key) ? AGENT_TOOL[key] : undefined
    const setting = rule && readSetting(keyed, rule, notes)
    if (!rule) notes.refuse(keyed.pair.key.span, `${keyed.path} is unknown.`)
    if (setting) settings.set(key, setting)
  }
  notes.note(path, name.span)
  const reference = readAgentReference(agent.pair.value, agent.path, notes)
  return reference && { name: name.value, span: item.span, kind: 'agent', agent: reference, settings }
}
