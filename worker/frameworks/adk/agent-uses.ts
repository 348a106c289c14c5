/** How the agents of a design refer to each other: circles, files that are missing or used twice, and names. */
import { isNodeClass } from './agent-keys.ts'
import type { AgentDesign, AgentReference } from './design.ts'
import type { FileNotes } from './file-notes.ts'
import { nodesOf } from './graph.ts'
import { excerpt } from './plain-values.ts'

/** Agents of a design, when each use of a file counts. */
const MAX_AGENTS = 500

/**
 * Returns the agents that an agent refers to: its children, tools and nodes. A graph makes one agent of a path that it
 * names several times in the same words.
 */
export function referencesOf({ children, tools, edges }: AgentDesign): AgentReference[] {
  const called = tools.flatMap((tool) => (tool.kind === 'agent' ? [tool.agent] : []))
  const nodes = new Map(
    nodesOf(edges).flatMap((node) =>
      node.kind === 'reference' && 'agent' in node ? [[node.written, node] as const] : [],
    ),
  )
  return [...children, ...called, ...nodes.values()]
}

interface DesignAgents {
  root: string
  agents: ReadonlyMap<string, AgentDesign>
  notesOf(agent: AgentDesign): FileNotes
}

/** Notes what is wrong, or not as it is written, between agents. */
export function checkUses(design: DesignAgents): void {
  checkChildren(design)
  checkNodes(design)
  if (noteCircle(design)) return
  noteUses(design)
  noteNames(design)
  if (countAgents(design, design.root, new Map()) > MAX_AGENTS)
    notesOfRoot(design)?.refuse(
      { line: 1, column: 1 },
      `The design has more than ${MAX_AGENTS} agents, as each use of a file is an agent of its own.`,
    )
}

const notesOfRoot = ({ root, agents, notesOf }: DesignAgents) => {
  const agent = agents.get(root)
  return agent && notesOf(agent)
}

/** Only agents may be below an agent: ADK does not take a graph there. */
function checkChildren({ agents, notesOf }: DesignAgents): void {
  for (const agent of agents.values())
    for (const reference of agent.children) {
      const child = 'agent' in reference ? agents.get(reference.agent) : undefined
      if (child && typeof child.class === 'string' && isNodeClass(child.class))
        notesOf(agent).refuse(
          reference.span,
          `${excerpt(child.file)} is a ${child.class}, which may be the root or a node of a Workflow, and no sub-agent.`,
        )
    }
}

/** A node without a dot in its name has to stand before in the same graph, and a file has one spelling. */
function checkNodes({ agents, notesOf }: DesignAgents): void {
  for (const agent of agents.values()) {
    const before = new Set<string>()
    const spellings = new Map<string, string>()
    for (const node of nodesOf(agent.edges)) {
      if (node.kind === 'reference' && 'agent' in node) {
        const earlier = spellings.get(node.agent) ?? node.written
        spellings.set(node.agent, earlier)
        if (earlier !== node.written)
          notesOf(agent).refuse(
            node.span,
            `Write ${excerpt(earlier)}, as before: ADK takes another spelling for another node.`,
          )
      }
      if (node.kind === 'reference')
        before.add('agent' in node ? (agents.get(node.agent)?.name ?? '') : lastPart(node.code))
      if (node.kind === 'function') before.add(lastPart(node.code))
      if (node.kind === 'named' && !before.has(node.name))
        notesOf(agent).refuse(node.span, `No earlier edge has a node named “${excerpt(node.name)}”.`)
    }
  }
}

const lastPart = (code: string) => code.slice(code.lastIndexOf('.') + 1)

/** Notes the first circle of files that is found. */
function noteCircle({ agents, notesOf }: DesignAgents): boolean {
  const done = new Set<string>()
  const visit = (agent: AgentDesign, path: readonly string[]): boolean => {
    if (done.has(agent.id)) return false
    for (const reference of referencesOf(agent)) {
      const next = 'agent' in reference ? agents.get(reference.agent) : undefined
      if (!next) continue
      const from = [...path, agent.id].indexOf(next.id)
      if (from >= 0) {
        const circle = [...path, agent.id, next.id].slice(from).map(excerpt).join(' → ')
        notesOf(agent).refuse(reference.span, `These agents refer to each other in a circle: ${circle}.`)
        return true
      }
      if (visit(next, [...path, agent.id])) return true
    }
    done.add(agent.id)
    return false
  }
  return [...agents.values()].some((agent) => visit(agent, []))
}

/** Each use of a file is an agent of its own, with the same name. */
function noteUses({ agents, notesOf }: DesignAgents): void {
  const uses = new Map<string, string[]>()
  for (const agent of agents.values())
    for (const reference of referencesOf(agent)) {
      if (!('agent' in reference)) continue
      const at = `${excerpt(agent.file)}, line ${reference.span.line}`
      const places = uses.get(reference.agent)
      if (places) places.push(at)
      else uses.set(reference.agent, [at])
    }
  for (const [id, places] of uses) {
    const agent = agents.get(id)
    if (!agent || places.length < 2) continue
    const reason = `It is used ${places.length} times (${listed(places)}): each use is an agent of its own, and all are named ${excerpt(agent.name)}.`
    notesOf(agent).noteFile('changed', reason)
    notesOf(agent).task(
      'setting',
      agent.span,
      `${excerpt(agent.name)} already has a parent: duplicate it, or call it as a tool.`,
    )
  }
}

const MOST_LISTED = 5
const listed = (places: readonly string[]) =>
  [...places.slice(0, MOST_LISTED), ...(places.length > MOST_LISTED ? ['…'] : [])].join('; ')

function noteNames({ agents, notesOf }: DesignAgents): void {
  const first = new Map<string, AgentDesign>()
  for (const agent of agents.values()) {
    const other = first.get(agent.name)
    if (!other) {
      first.set(agent.name, agent)
      continue
    }
    const span = agent.settings.get('name')?.span ?? agent.span
    const line = (other.settings.get('name')?.span ?? other.span).line
    const reason = `Another agent is named ${excerpt(agent.name)}: ${excerpt(other.file)}, line ${line}. Rename one of them.`
    notesOf(agent).note('name', span, 'changed', reason)
    notesOf(agent).task('setting', span, reason)
  }
}

/** Returns how many agents an agent stands for. Without circles. */
function countAgents({ agents }: DesignAgents, id: string, counts: Map<string, number>): number {
  const known = counts.get(id)
  const agent = agents.get(id)
  if (known !== undefined || !agent) return known ?? 0
  const below = referencesOf(agent).map((each) =>
    'agent' in each ? countAgents({ agents } as DesignAgents, each.agent, counts) : 0,
  )
  const count = below.reduce((sum, each) => sum + each, 1)
  counts.set(id, count)
  return count
}
