/**
 * Tracks the progress of one plan: which occurrences of its nodes are ready, waiting, finished or skipped. It gets finished
 * steps in the order of the log and returns the steps that they make ready. The cost of a finished step depends on its
 * edges and the loops around it, not on the size of the flow.
 *
 * - An edge is live when its source finished and took that output, dead when it did not or was skipped, and open otherwise.
 * - Join all: a node waits while an edge to it is open, is skipped when all are dead, and otherwise runs once.
 *   Join any: a node runs once, at the first live edge. In a new round, only edges within the round count.
 * - A jump takes effect when every node that it runs again has ended, and no loop that shares nodes with it can still jump
 *   to a later target. The result is the same as if the plan came to rest before each jump and the last target in plan
 *   order went first, regardless of timing. Loops that share no nodes don't wait for each other.
 */
import { ERROR_OUTPUT } from '#contract/flow/params/run-policy.ts'
import { type LoopTarget, takenBackEdge } from './loops.ts'
import { bitOf, hasBit, leadsTo, type Plan, type PlanEdge, type PlanNode } from './plan.ts'

export type Phase = 'open' | 'ready' | 'waiting' | 'finished' | 'skipped'

/** A jump that took effect. */
export interface Jump {
  target: LoopTarget
  /** How often the loop has jumped back, including this jump. */
  count: number
  /** Bit set of the nodes that the ended round ran or saw, including what its skipped nodes saw. */
  knew: bigint
}

interface Change {
  /** The steps that are now ready, in plan order. */
  ready: PlanNode[]
  jumps: Jump[]
}

interface Occurrence {
  round: number
  phase: Phase
  /** Number of open incoming edges. */
  open: number
  /** Sources of its live edges. */
  came: PlanNode[]
  /** Bit i: the node with index i ended before this occurrence, in the same round or outside of it. */
  arrived: bigint
  /** Target of the jump that created this occurrence, if any. */
  within?: LoopTarget
}

export class Scheduler {
  readonly #plan: Plan
  readonly #current: Occurrence[]
  /** Number of unfinished nodes that block a jump to the target. */
  readonly #unsettled: Map<LoopTarget, number>
  readonly #pending = new Map<LoopTarget, Set<PlanNode>>()
  /** How often each node has gone back to each target. */
  readonly #jumps = new Map<PlanNode, Map<LoopTarget, number>>()
  #active = 0

  constructor(plan: Plan) {
    this.#plan = plan
    this.#current = plan.nodes.map(({ incoming }) => ({
      round: 0,
      phase: 'open',
      open: incoming.length,
      came: [],
      arrived: 0n,
    }))
    this.#unsettled = new Map(plan.targets.map((target) => [target, heldUpBy(target)]))
    for (const node of plan.nodes) if (node.incoming.length === 0) this.#makeReady(node)
  }

  /** Finishes a node with the outputs taken; null = all but the error branch. The output of a back edge jumps back. */
  finish(node: PlanNode, taken: readonly number[] | null): Change {
    this.#active--
    this.#settle(node, 'finished')
    const backTo = node.backTo.get(takenBackEdge(node, taken)?.target ?? '')
    if (backTo) this.#requestJump(backTo, node)
    const ready: PlanNode[] = []
    this.#spread(node, { taken, ready })
    const jumps: Jump[] = []
    for (let target = this.#nextTarget(); target; target = this.#nextTarget()) {
      jumps.push(this.#jump(target))
      ready.push(target.node)
    }
    return { ready: ready.sort((a, b) => a.index - b.index), jumps }
  }

  /** Marks a ready step as waiting for a person. It still blocks jumps. */
  wait(node: PlanNode): void {
    this.#at(node).phase = 'waiting'
  }

  /** Marks a waiting step as ready to run again. */
  answer(node: PlanNode): void {
    this.#at(node).phase = 'ready'
  }

  phase(node: PlanNode): Phase {
    return this.#at(node).phase
  }

  /** Returns how often jumps have reset the node. */
  round(node: PlanNode): number {
    return this.#at(node).round
  }

  /** Returns the sources of the step's live edges, in plan order. */
  cameFrom(node: PlanNode): readonly PlanNode[] {
    return this.#at(node).came.toSorted((a, b) => a.index - b.index)
  }

  /** Returns the earlier nodes that this occurrence sees, as a bit set. */
  arrived(node: PlanNode): bigint {
    return this.#at(node).arrived
  }

  /** Returns how often this node has jumped back, along each of its back edges since an outer loop last did. */
  jumpsOf(loop: PlanNode): number {
    return [...(this.#jumps.get(loop)?.values() ?? [])].reduce((sum, count) => sum + count, 0)
  }

  /** Returns all ready steps in plan order. Scans all nodes, so use it only at the start. */
  ready(): PlanNode[] {
    return this.#plan.nodes.filter((node) => this.phase(node) === 'ready')
  }

  /** True when no step is ready or waiting. */
  get isDone(): boolean {
    return this.#active === 0
  }

  #at(node: PlanNode): Occurrence {
    return this.#current[node.index] as Occurrence
  }

  #makeReady(node: PlanNode): void {
    this.#at(node).phase = 'ready'
    this.#active++
  }

  #settle(node: PlanNode, phase: 'finished' | 'skipped'): void {
    this.#at(node).phase = phase
    for (const target of node.heldUp) this.#hold(target, -1)
  }

  #hold(target: LoopTarget, change: number): void {
    this.#unsettled.set(target, (this.#unsettled.get(target) ?? 0) + change)
  }

  #requestJump(target: LoopTarget, loop: PlanNode): void {
    const requests = this.#pending.get(target)
    if (requests) requests.add(loop)
    else this.#pending.set(target, new Set([loop]))
  }

  /** Resolves the edges of an ended node, and of all nodes skipped as a result. */
  #spread(node: PlanNode, { taken, ready }: { taken: readonly number[] | null; ready: PlanNode[] }): void {
    const judged = node.outgoing.map((edge) => ({ edge, isLive: isTaken(edge, taken) }))
    for (const { edge, isLive } of judged) {
      const { target } = edge
      const outcome = this.#arrive(edge, isLive)
      if (outcome === 'ready') ready.push(target)
      if (outcome === 'skipped') for (const next of target.outgoing) judged.push({ edge: next, isLive: false })
    }
  }

  #arrive({ source, target }: PlanEdge, isLive: boolean): Phase {
    const at = this.#at(target)
    if (at.phase !== 'open' || (at.within && !hasBit(at.within.bits, source))) return 'open'
    const above = this.arrived(source) | bitOf(source)
    const isFirst = isLive && target.policy.join === 'any'
    at.open--
    at.arrived = isFirst ? above : at.arrived | above
    if (isLive && !at.came.includes(source)) at.came.push(source)
    if (at.open > 0 && !isFirst) return 'open'
    if (at.came.length > 0) this.#makeReady(target)
    else this.#settle(target, 'skipped')
    return at.phase
  }

  /** Returns the last requested target in plan order whose jump is not blocked. */
  #nextTarget(): LoopTarget | undefined {
    if (this.#pending.size === 0) return undefined
    return this.#plan.targets.find(
      (target) => this.#pending.has(target) && [target, ...target.deeper].every((one) => this.#isSettled(one)),
    )
  }

  #isSettled(target: LoopTarget): boolean {
    return this.#unsettled.get(target) === 0
  }

  /** Performs the jump for all nodes that requested this target. Counts for each of them. */
  #jump(target: LoopTarget): Jump {
    const loops = target.loops.filter((loop) => this.#pending.get(target)?.has(loop))
    this.#pending.delete(target)
    const counts = loops.map((loop) => this.#count(loop, target))
    const knew = target.round.reduce((bits, node) => bits | this.arrived(node), target.bits)
    for (const node of target.round) this.#renew(node, target)
    this.#makeReady(target.node)
    return { target, knew, count: Math.max(...counts) }
  }

  #count(loop: PlanNode, target: LoopTarget): number {
    const counts = this.#jumps.get(loop) ?? new Map<LoopTarget, number>()
    const count = (counts.get(target) ?? 0) + 1
    this.#jumps.set(loop, counts.set(target, count))
    return count
  }

  /** Resets a node for a new round. Voids its requested jump and resets the count of inner loops. */
  #renew(node: PlanNode, target: LoopTarget): void {
    for (const held of node.heldUp) this.#hold(held, 1)
    for (const backTo of node.backTo.values()) if (backTo !== target) this.#renewLoop(node, { backTo, target })
    const before = this.#at(node)
    const isOutside = (source: PlanNode) => !hasBit(target.bits, source)
    const kept =
      node.policy.join === 'any' || node === target.node
        ? []
        : node.incoming.map(({ source }) => source).filter(isOutside)
    this.#current[node.index] = {
      round: before.round + 1,
      phase: 'open',
      open: node.incoming.filter(({ source }) => !isOutside(source)).length,
      came: node.policy.join === 'any' && node !== target.node ? [] : before.came.filter(isOutside),
      arrived: kept.reduce((bits, source) => bits | this.arrived(source) | bitOf(source), 0n),
      within: target,
    }
  }

  #renewLoop(loop: PlanNode, { backTo, target }: { backTo: LoopTarget; target: LoopTarget }): void {
    const requests = this.#pending.get(backTo)
    requests?.delete(loop)
    if (requests?.size === 0) this.#pending.delete(backTo)
    if (leadsTo(target.node, backTo.node)) this.#jumps.get(loop)?.delete(backTo)
  }
}

function isTaken({ output }: PlanEdge, taken: readonly number[] | null): boolean {
  return taken ? taken.includes(output) : output !== ERROR_OUTPUT
}

function heldUpBy({ round, loops }: LoopTarget): number {
  return new Set([...round, ...loops]).size
}
