/** Finds the file that a design begins with. */
import type { GivenFile } from '../files.ts'
import { UnreadableDesignError } from '../unreadable-design.ts'
import { referencesOf } from './agent-uses.ts'
import { readAgents } from './agents.ts'
import { FileNotes } from './file-notes.ts'
import { excerpt } from './plain-values.ts'
import type { YamlFiles } from './yaml-files.ts'

const ROOT = 'root_agent.yaml'

/**
 * Returns the path of `root_agent.yaml`, or of the only agent that no other refers to.
 * @throws UnreadableDesignError naming the files, where there is no such file or more than one
 */
export function findRoot(files: ReadonlyMap<string, GivenFile>, yamls: YamlFiles): string {
  if (files.has(ROOT)) return ROOT
  const roots = [...files.keys()].filter((name) => name.endsWith(`/${ROOT}`))
  return onlyOne(roots.length > 0 ? roots : unreferencedAgents(files, yamls), files)
}

function onlyOne(roots: readonly string[], files: ReadonlyMap<string, GivenFile>): string {
  const [root, another] = roots
  if (root !== undefined && another === undefined) return root
  if (root !== undefined)
    throw new UnreadableDesignError(
      roots.map((file) => ({ file, reason: `More than one agent may be the root. Name the root’s file ${ROOT}.` })),
    )
  const python = [...files.keys()].find((name) => /(^|\/)agent\.py$/.test(name))
  const reason = python
    ? `${excerpt(python)} is Python, which is not read. Agents are read from YAML: there is no ${ROOT}.`
    : `There is no agent: neither ${ROOT} nor another file with the name and instruction of an agent.`
  throw new UnreadableDesignError([{ file: '', reason }])
}

/** @throws UnreadableDesignError for broken YAML when no file holds an agent */
function unreferencedAgents(files: ReadonlyMap<string, GivenFile>, yamls: YamlFiles): string[] {
  const names = [...files.keys()].filter((name) => /\.ya?ml$/.test(name))
  const opened = names.map((name) => ({ name, open: yamls.open(name) }))
  const agents = opened.flatMap(({ name, open }) => {
    const root = open?.yaml?.root
    if (root?.kind !== 'map' || !root.pairs.some(({ key }) => AGENT_KEYS.includes(String(key.value)))) return []
    return [{ name, references: readAgents(root, new FileNotes(name)).flatMap(referencesOf) }]
  })
  const problems = opened.flatMap(({ open }) => open?.notes.problems ?? [])
  if (agents.length === 0 && problems.length > 0) throw new UnreadableDesignError(problems)
  const referred = new Set(
    agents.flatMap(({ references }) => references.flatMap((each) => ('agent' in each ? each.agent : []))),
  )
  const roots = agents.map(({ name }) => name).filter((name) => !referred.has(name))
  // In a circle of files each is referred to: any of them shows it.
  return roots.length > 0 ? roots : agents.slice(0, 1).map(({ name }) => name)
}

/** Other YAML beside a design, such as that of services or of a toolbox, has none of them. */
const AGENT_KEYS = ['agent_class', 'instruction']
