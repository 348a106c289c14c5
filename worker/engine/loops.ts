/** Loop nodes and their targets, and the nodes that must end before a jump. Pure. */
import type { PlanNode } from './plan.ts'

/** A node that Loop nodes jump back to. */
export interface LoopTarget {
  node: PlanNode
  /** The Loop nodes that jump to it, in plan order. */
  loops: PlanNode[]
  /** The nodes that a jump runs again: the target and everything after it, in plan order. */
  round: PlanNode[]
  /** The round as a bit set of node indexes. */
  bits: bigint
  /** Targets later in plan order that share nodes with this one, directly or transitively. Their jumps come first. */
  deeper: LoopTarget[]
}

/**
 * Links the Loop nodes of a plan to their targets. Returns the targets, last in plan order first. The structural rules
 * have checked that each target is in the plan.
 */
export function findLoops(nodes: PlanNode[]): LoopTarget[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const loops = nodes.filter(({ loopsTo }) => loopsTo !== undefined)
  const targets = [...Map.groupBy(loops, ({ loopsTo }) => byId.get(loopsTo ?? ''))]
    .flatMap(([node, theirs]) => (node ? targetOf(node, { loops: theirs, nodes }) : []))
    .sort((a, b) => b.node.index - a.node.index)
  link(targets)
  return targets
}

function targetOf(node: PlanNode, { loops, nodes }: { loops: PlanNode[]; nodes: PlanNode[] }): LoopTarget {
  const reached = new Set([node])
  for (const each of reached) for (const { target } of each.outgoing) reached.add(target)
  const round = nodes.filter((each) => reached.has(each))
  return { node, loops, round, bits: bitsOf(round), deeper: [] }
}

/** Targets that share nodes, directly or transitively. */
interface Group {
  targets: LoopTarget[]
  bits: bigint
}

/** Groups targets that share nodes, starting with the last in plan order. */
function link(targets: LoopTarget[]): void {
  let groups: Group[] = []
  for (const target of targets) {
    const nodes = concerned(target)
    const own = bitsOf(nodes)
    const met = groups.filter(({ bits }) => (bits & own) !== 0n)
    target.deeper = met.flatMap((group) => group.targets)
    const joined = { targets: [target, ...target.deeper], bits: met.reduce((all, { bits }) => all | bits, own) }
    groups = [...groups.filter((group) => !met.includes(group)), joined]
    for (const loop of target.loops) loop.backTo = target
    for (const node of nodes) node.heldUp.push(target)
  }
}

/** Returns the round and the target's Loop nodes outside of it. */
function concerned({ round, loops }: LoopTarget): Set<PlanNode> {
  return new Set([...round, ...loops])
}

/** Builds the bit set from binary digits, because setting bits one by one would copy the number each time. */
function bitsOf(nodes: Iterable<PlanNode>): bigint {
  const digits: string[] = []
  for (const { index } of nodes) digits[index] = '1'
  return BigInt(
    `0b0${Array.from(digits, (digit) => digit ?? '0')
      .reverse()
      .join('')}`,
  )
}
