/** Back edges and their targets, and the nodes that must end before a jump. Pure. */
import type { BackEdge } from '#contract/flow/kinds/types.ts'
import { ERROR_OUTPUT } from '#contract/flow/params/run-policy.ts'
import type { PlanNode } from './plan.ts'

/** How the log names the back edge that a step took, among its outputs. Numbers from here on downwards. */
const FIRST_BACK_EDGE = ERROR_OUTPUT - 1

/** Returns the outputs that the log keeps for a step which goes back to `target`; undefined when none of its edges leads there. */
export function backEdgeOutputs({ backEdges }: PlanNode, target: string): number[] | undefined {
  const index = backEdges.findIndex((edge) => edge.target === target)
  return index < 0 ? undefined : [FIRST_BACK_EDGE - index]
}

/** Returns the back edge that a step took. Logs of earlier versions say it of a Loop node by no output at all. */
export function takenBackEdge({ backEdges, type }: PlanNode, taken: readonly number[] | null): BackEdge | undefined {
  const decides = (type.definition.outputs?.length ?? 0) > 0
  if (taken?.length === 0) return decides ? undefined : backEdges[0]
  return backEdges.find((_, index) => taken?.includes(FIRST_BACK_EDGE - index))
}

/** A node that back edges lead to. */
export interface LoopTarget {
  node: PlanNode
  /** The sources of these edges, in plan order. */
  loops: PlanNode[]
  /** The nodes that a jump runs again: the target and everything after it, in plan order. */
  round: PlanNode[]
  /** The round as a bit set of node indexes. */
  bits: bigint
  /** Targets later in plan order that share nodes with this one, directly or transitively. Their jumps come first. */
  deeper: LoopTarget[]
}

/**
 * Links the back edges of a plan to their targets. Returns the targets, last in plan order first. The structural rules
 * have checked that each target is in the plan.
 */
export function findLoops(nodes: PlanNode[]): LoopTarget[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const back = nodes.flatMap((loop) =>
    [...new Set(loop.backEdges.map(({ target }) => target))].map((to) => ({ loop, to })),
  )
  const targets = [...Map.groupBy(back, ({ to }) => byId.get(to))]
    .flatMap(([node, theirs]) => (node ? targetOf(node, { loops: theirs.map(({ loop }) => loop), nodes }) : []))
    .sort((a, b) => b.node.index - a.node.index)
  link(targets)
  return targets
}

function targetOf(node: PlanNode, { loops, nodes }: { loops: PlanNode[]; nodes: PlanNode[] }): LoopTarget {
  const reached = new Set([node])
  for (const each of reached) for (const { target } of each.outgoing) reached.add(target)
  const round = nodes.filter((each) => reached.has(each))
  return { node, loops, round, bits: toBits(round), deeper: [] }
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
    const own = toBits(nodes)
    const met = groups.filter(({ bits }) => (bits & own) !== 0n)
    target.deeper = met.flatMap((group) => group.targets)
    const joined = { targets: [target, ...target.deeper], bits: met.reduce((all, { bits }) => all | bits, own) }
    groups = [...groups.filter((group) => !met.includes(group)), joined]
    for (const loop of target.loops) loop.backTo.set(target.node.id, target)
    for (const node of nodes) node.heldUp.push(target)
  }
}

/** Returns the round, and the sources of the target's back edges outside of it. */
function concerned({ round, loops }: LoopTarget): Set<PlanNode> {
  return new Set([...round, ...loops])
}

/** Builds the bit set from binary digits, because setting bits one by one would copy the number each time. */
function toBits(nodes: Iterable<PlanNode>): bigint {
  const digits: string[] = []
  for (const { index } of nodes) digits[index] = '1'
  return BigInt(
    `0b0${Array.from(digits, (digit) => digit ?? '0')
      .reverse()
      .join('')}`,
  )
}
