/** The keys that the classes of ADK have. */
import { type AdkClass, AGENT_CLASSES, CODE_KEYS, NODE_CLASSES, SETTINGS } from '#contract/frameworks/adk.ts'

/** Keys that hold more than a value or a name of code. */
const PARTS: Readonly<Record<AdkClass, readonly string[]>> = {
  LlmAgent: ['sub_agents', 'tools', 'generate_content_config'],
  SequentialAgent: ['sub_agents'],
  ParallelAgent: ['sub_agents'],
  LoopAgent: ['sub_agents'],
  Workflow: ['edges'],
  JoinNode: [],
  FunctionNode: [],
}

/** Returns all keys of a class but `agent_class`. */
export const keysOf = (name: AdkClass): ReadonlySet<string> =>
  new Set([...Object.keys(SETTINGS[name]), ...CODE_KEYS[name], ...PARTS[name]])

export const isNodeClass = (name: string): boolean => (NODE_CLASSES as readonly string[]).includes(name)

/** Classes that ADK brings along, and that nothing here is the same as. */
const OTHER_CLASSES = ['BaseAgent', 'ManagedAgent', 'BaseNode', 'Node']
const BUILT_IN = /^google\.adk\.(?:agents|workflow)\.(?:[a-z_]{1,40}\.)?(\w{1,40})$/

/**
 * Returns the class that `agent_class` names, with `code` for one that only Python has; undefined for a word that is no
 * class of ADK.
 */
export function agentClass(written: string): AdkClass | { code: string } | undefined {
  const word = BUILT_IN.exec(written)?.[1] ?? written
  const name = word === 'Agent' || word === '' ? 'LlmAgent' : word
  const known = [...AGENT_CLASSES, ...NODE_CLASSES].find((each) => each === name)
  if (known || written.includes('.')) return known ?? { code: written }
  return OTHER_CLASSES.includes(name) ? { code: `google.adk.agents.${name}` } : undefined
}
