/** Reads one agent: a map of a file, or one that is written inside a graph. */
import { type AdkClass, CODE_KEYS, SETTINGS, type SettingRule } from '#contract/frameworks/adk.ts'
import { codeNameProblem, isPythonName } from '../python-names.ts'
import type { YamlMap } from '../python-yaml.ts'
import { agentClass, isNodeClass, keysOf } from './agent-keys.ts'
import { readAgentReference } from './agent-references.ts'
import { readCodeKey } from './code-names.ts'
import type { AgentDesign, AgentReference, CodeReference, GraphEdge, Setting, ToolReference } from './design.ts'
import type { FileNotes } from './file-notes.ts'
import { readGeneration } from './generation.ts'
import { readGraph } from './graph.ts'
import { excerpt, type Keyed, nameOf, readPairs, readSetting } from './plain-values.ts'
import { readTools } from './tools.ts'

/**
 * Returns the agent of a file, and before it those that are written inside its graph. Without the first where a problem
 * was noted that leaves no agent.
 */
export function readAgents(map: YamlMap, notes: FileNotes): AgentDesign[] {
  const reading = new AgentsReading(notes)
  reading.read(map, '')
  return [...reading.agents.values()]
}

class AgentsReading {
  readonly agents = new Map<string, AgentDesign>()
  readonly #notes: FileNotes

  constructor(notes: FileNotes) {
    this.#notes = notes
  }

  /**
   * Returns the agent's id; undefined after a problem.
   * @param path of the agent in its file; empty for the file's own
   */
  read(map: YamlMap, path: string): string | undefined {
    const pairs = readPairs(map, path, this.#notes)
    const className = pairs && this.#readClass(pairs)
    if (!pairs || !className) return undefined
    const agent = new AgentReading(className, this.#notes, (inline, at) => this.read(inline, at))
    for (const keyed of pairs) agent.readKey(keyed)
    const name = agent.settings.get('name')
    if (!this.#isComplete(agent, { map, path })) return undefined
    const id = path === '' ? this.#notes.file : `${this.#notes.file}#${name?.value}`
    if (this.agents.has(id)) {
      this.#notes.refuse(map.span, `Two nodes of this graph are named ${excerpt(String(name?.value))}.`)
      return undefined
    }
    const { file } = this.#notes
    this.agents.set(id, { id, file, span: map.span, name: String(name?.value), ...agent.parts() })
    return id
  }

  #readClass(pairs: readonly Keyed[]): AdkClass | { code: string } | undefined {
    const keyed = pairs.find(({ pair }) => pair.key.value === 'agent_class')
    if (!keyed) return 'LlmAgent'
    const { value } = keyed.pair
    if (value.kind !== 'text') {
      this.#notes.refuse(value.span, `${keyed.path} must be the name of a class, and not ${nameOf(value)}.`)
      return undefined
    }
    const found = agentClass(value.value)
    const problem = typeof found === 'object' ? codeNameProblem(found.code) : undefined
    if (!found || problem) {
      this.#notes.refuse(value.span, problem ?? `${keyed.path}: ADK has no class “${excerpt(value.value)}”.`)
      return undefined
    }
    if (typeof found === 'object') this.#notes.noteCode(keyed.path, value.span, excerpt(found.code))
    else this.#notes.note(keyed.path, keyed.pair.key.span)
    return found
  }

  #isComplete({ settings, code, className }: AgentReading, { map, path }: { map: YamlMap; path: string }): boolean {
    const where = path || 'The agent'
    const missing = requiredKeys(className).filter((key) => !map.pairs.some((pair) => pair.key.value === key))
    for (const key of missing) this.#notes.refuse(map.span, `${where} has no ${key}.`)
    const name = settings.get('name')
    if (name && !isPythonName(String(name.value)))
      this.#notes.refuse(name.span, `The name “${excerpt(String(name.value))}” must be a Python identifier.`)
    if (name?.value === 'user' && typeof className === 'string' && !isNodeClass(className))
      this.#notes.refuse(name.span, 'An agent may not be named user.')
    const modelCode = code.get('model_code')?.[0]
    if (settings.get('model')?.value && modelCode)
      this.#notes.refuse(modelCode.span, `${where} has a model and a model_code: only one of them may be there.`)
    return name !== undefined
  }
}

function requiredKeys(className: AdkClass | { code: string }): string[] {
  if (className === 'LlmAgent') return ['name', 'instruction']
  return className === 'FunctionNode' ? ['name', 'func_code'] : ['name']
}

type ReadInline = (map: YamlMap, path: string) => string | undefined

/** The keys that every agent has, also one of a class in Python. */
const OF_ALL: AdkClass = 'SequentialAgent'

class AgentReading {
  readonly className: AdkClass | { code: string }
  readonly settings = new Map<string, Setting>()
  readonly code = new Map<string, readonly CodeReference[]>()
  readonly #known: AdkClass
  readonly #notes: FileNotes
  readonly #readInline: ReadInline
  #generation: ReadonlyMap<string, Setting> = new Map()
  #children: AgentReference[] = []
  #tools: ToolReference[] = []
  #edges: GraphEdge[] = []

  constructor(className: AdkClass | { code: string }, notes: FileNotes, readInline: ReadInline) {
    this.className = className
    this.#known = typeof className === 'string' ? className : OF_ALL
    this.#notes = notes
    this.#readInline = readInline
  }

  parts(): Omit<AgentDesign, 'id' | 'file' | 'span' | 'name'> {
    return {
      class: this.className,
      settings: this.settings,
      generation: this.#generation,
      code: this.code,
      children: this.#children,
      tools: this.#tools,
      edges: this.#edges,
    }
  }

  readKey(keyed: Keyed): void {
    const key = String(keyed.pair.key.value)
    if (key === 'agent_class') return
    if (!keysOf(this.#known).has(key)) this.#readUnknown(key, keyed)
    else if (key === 'sub_agents') this.#children = this.#readChildren(keyed)
    else if (key === 'tools') this.#tools = readTools(keyed, this.#notes)
    else if (key === 'generate_content_config') this.#generation = readGeneration(keyed, this.#notes)
    else if (key === 'edges') this.#edges = readGraph(keyed, this.#notes, this.#readInline)
    else if (CODE_KEYS[this.#known].includes(key)) this.#readCode(key, keyed)
    else this.#set(key, keyed, SETTINGS[this.#known][key] as SettingRule)
  }

  #set(key: string, keyed: Keyed, rule: SettingRule): void {
    const setting = readSetting(keyed, rule, this.#notes)
    if (setting) this.settings.set(key, setting)
  }

  #readChildren({ path, pair }: Keyed): AgentReference[] {
    if (pair.value.kind !== 'list') {
      this.#notes.refuse(pair.value.span, `${path} must be a list.`)
      return []
    }
    this.#notes.note(path, pair.key.span)
    return pair.value.items.flatMap((item, index) => readAgentReference(item, `${path}[${index}]`, this.#notes) ?? [])
  }

  /** A node takes a schema as a name of code, with or without `name`, or as a JSON schema. */
  #readCode(key: string, keyed: Keyed): void {
    const { value } = keyed.pair
    const isNode = isNodeClass(this.#known)
    const isNamed = value.kind === 'map' && value.pairs.some((pair) => pair.key.value === 'name')
    const mayBeName = isNamed || value.kind === 'text' || value.kind === 'null'
    if (isNode && !key.endsWith('_code') && !mayBeName) {
      this.#set(key, keyed, { type: 'json' })
      return
    }
    const code = readCodeKey(keyed, this.#notes, isNode)
    if (code) this.code.set(key, code)
  }

  #readUnknown(key: string, keyed: Keyed): void {
    const { span } = keyed.pair.key
    if (typeof this.className === 'object') {
      this.#set(key, keyed, { type: 'json' })
      this.#notes.note(keyed.path, span, 'unsupported', 'A setting of a class in Python: it is kept and exported.')
    } else if (isNodeClass(this.className)) {
      this.#set(key, keyed, { type: 'json' })
      this.#notes.note(keyed.path, span, 'changed', `${this.className} has no such setting: ADK ignores it.`)
    } else this.#notes.refuse(span, `${keyed.path} is unknown: ${this.className} has no such key.`)
  }
}
