/** Where Loop nodes go back to, and what has to come to rest before they may. Pure. */
import { LOOP } from '#contract/flow/kinds/agentflow/nodes.ts'
import type { PlanNode, PlanProblem } from './plan.ts'

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

/** Each keeps what it makes run again, so that memory grows with their product with the nodes. */
const MAX_LOOPS = 500

/** Links the Loop nodes of one plan to their targets, which `targets` lists with the deepest first. */
export function findLoops(nodes: PlanNode[]): { targets: LoopTarget[]; problems: PlanProblem[] } {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const loops = nodes.filter(({ name }) => name === LOOP)
  if (loops.length > MAX_LOOPS)
    return {
      targets: [],
      problems: [{ message: `The flow has ${loops.length} Loop nodes, at most ${MAX_LOOPS} may be` }],
    }
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
  link(targets)
  return { targets, problems }
}

function targetOf(node: PlanNode, { loops, nodes }: { loops: PlanNode[]; nodes: PlanNode[] }): LoopTarget {
  const reached = new Set([node])
  for (const each of reached) for (const { target } of each.outgoing) reached.add(target)
  const round = nodes.filter((each) => reached.has(each))
  return { node, loops, round, bits: bitsOf(round), deeper: [] }
}

/** Targets that share nodes, directly or through each other. */
interface Group {
  targets: LoopTarget[]
  bits: bigint
}

/** From the deepest on, so that each meets the groups of those that lie deeper, and joins them. */
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

/** The round, and the Loop nodes that lie beside it. */
function concerned({ round, loops }: LoopTarget): Set<PlanNode> {
  return new Set([...round, ...loops])
}

/** Written as digits, because adding up bit after bit would copy all of them each time. */
function bitsOf(nodes: Iterable<PlanNode>): bigint {
  const digits: string[] = []
  for (const { index } of nodes) digits[index] = '1'
  return BigInt(
    `0b0${Array.from(digits, (digit) => digit ?? '0')
      .reverse()
      .join('')}`,
  )
}
