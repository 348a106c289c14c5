/** Where Loop nodes go back to, and what has to come to rest before they may. Pure. */
import { LOOP } from '#contract/flow/kinds.ts'
import { bitOf, leadsTo, type PlanNode, type PlanProblem } from './plan.ts'

/** A node that Loop nodes go back to. */
export interface LoopTarget {
  node: PlanNode
  /** The Loop nodes that name it, in plan order. */
  loops: PlanNode[]
  /** The node and all that it leads to: what a jump makes run again, in plan order. */
  round: PlanNode[]
  /** The same as bits. */
  bits: bigint
  /** Targets that lie deeper and share nodes with this one, directly or through each other: their jumps come first. */
  deeper: LoopTarget[]
}

/** Links the Loop nodes of one plan to their targets, which `targets` lists with the deepest first. */
export function findLoops(nodes: PlanNode[]): { targets: LoopTarget[]; problems: PlanProblem[] } {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const loops = nodes.filter(({ name }) => name === LOOP)
  const problems = loops.flatMap(({ id, label, loopsTo }) => {
    if (loopsTo === undefined) return [{ nodeId: id, message: `${label}: choose the node to loop back to` }]
    if (byId.has(loopsTo)) return []
    return [
      {
        nodeId: id,
        message: `${label}: the node to loop back to (${loopsTo}) is not there, or not in the same iteration`,
      },
    ]
  })
  const targets = [...Map.groupBy(loops, ({ loopsTo }) => byId.get(loopsTo ?? ''))]
    .flatMap(([node, theirs]) => (node ? targetOf(node, { loops: theirs, nodes }) : []))
    .sort((a, b) => b.node.index - a.node.index)
  for (const target of targets) link(target, targets)
  return { targets, problems }
}

function targetOf(node: PlanNode, { loops, nodes }: { loops: PlanNode[]; nodes: PlanNode[] }): LoopTarget {
  const round = nodes.filter((other) => other === node || leadsTo(node, other))
  return { node, loops, round, bits: bitsOf(round), deeper: [] }
}

function link(target: LoopTarget, targets: LoopTarget[]): void {
  target.deeper = deeperThan(target, targets)
  for (const loop of target.loops) loop.backTo = target
  for (const node of concerned(target)) node.heldUp.push(target)
}

function deeperThan(target: LoopTarget, targets: LoopTarget[]): LoopTarget[] {
  const found: LoopTarget[] = []
  let rest = targets.filter(({ node }) => node.index > target.node.index)
  let bits = bitsOf(concerned(target))
  for (;;) {
    const met = rest.filter((other) => (bitsOf(concerned(other)) & bits) !== 0n)
    if (met.length === 0) return found
    found.push(...met)
    bits = met.reduce((sum, other) => sum | bitsOf(concerned(other)), bits)
    rest = rest.filter((other) => !met.includes(other))
  }
}

/** The round, and the Loop nodes that lie beside it. */
function concerned({ round, loops }: LoopTarget): Set<PlanNode> {
  return new Set([...round, ...loops])
}

function bitsOf(nodes: Iterable<PlanNode>): bigint {
  let bits = 0n
  for (const node of nodes) bits |= bitOf(node)
  return bits
}
