/**
 * How far one plan has come: which occurrences of its nodes may run, wait, have finished or are skipped. Fed with
 * what finished, in the order of the log, it tells what that makes ready. A finished step costs its edges and the loops
 * around it, however many nodes the flow has.
 *
 * - An edge is live when its source finished and took that output; dead when it did not, or was skipped; else open.
 * - join all: a node waits while an edge to it is open, is skipped when all are dead, and otherwise runs once.
 *   join any: it runs once at the first live edge; what comes later does nothing. In a new round only edges of that
 *   round count for it: what came from outside came in an earlier one.
 * - A jump takes effect when everything that it will run again has ended, and nothing that shares nodes with
 *   that can still go back to a deeper target. So it all comes as if the plan came to rest before each jump and the deepest
 *   target went first, whatever the timing; loops that share nothing do not wait for each other.
 */
import { ERROR_OUTPUT } from '#contract/flow/params/run-policy.ts'
import type { LoopTarget } from './loops.ts'
import { bitOf, hasBit, leadsTo, type Plan, type PlanEdge, type PlanNode } from './plan.ts'

export type Phase = 'open' | 'ready' | 'waiting' | 'finished' | 'skipped'

/** A jump that took effect. */
export interface Jump {
  target: LoopTarget
  /** How often the loop has gone back with this one. */
  count: number
  /** Bits of what the round that ended ran and knew of, by what was skipped in it too. */
  knew: bigint
}

export interface Change {
  /** What may run now, in plan order. */
  ready: PlanNode[]
  jumps: Jump[]
}

interface Occurrence {
  round: number
  phase: Phase
  /** Edges that may still come. */
  open: number
  /** The sources of its live edges. */
  came: PlanNode[]
  /** Bit i: the node with index i ended above this occurrence, in the same round or outside of it. */
  arrived: bigint
  /** The latest jump's target, when one made this occurrence. */
  within?: LoopTarget
}

export class Scheduler {
  readonly #plan: Plan
  readonly #current: Occurrence[]
  /** Of what holds up a target: how many have not ended. */
  readonly #unsettled: Map<LoopTarget, number>
  readonly #pending = new Map<LoopTarget, Set<PlanNode>>()
  readonly #jumps = new Map<PlanNode, number>()
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

  /** The node ended: its outputs in `taken` go on, null = all but the error branch. A Loop node that takes none goes back. */
  finish(node: PlanNode, taken: readonly number[] | null): Change {
    this.#active--
    this.#settle(node, 'finished')
    if (node.backTo && taken?.length === 0) this.#ask(node.backTo, node)
    const ready: PlanNode[] = []
    this.#spread(node, { taken, ready })
    const jumps: Jump[] = []
    for (let target = this.#nextTarget(); target; target = this.#nextTarget()) {
      jumps.push(this.#jump(target))
      ready.push(target.node)
    }
    return { ready: ready.sort((a, b) => a.index - b.index), jumps }
  }

  /** A ready step stops for a person: what holds it up stays held up. */
  wait(node: PlanNode): void {
    this.#at(node).phase = 'waiting'
  }

  /** It was answered, and may run again. */
  answer(node: PlanNode): void {
    this.#at(node).phase = 'ready'
  }

  phase(node: PlanNode): Phase {
    return this.#at(node).phase
  }

  /** How many jumps have made the node run again. */
  round(node: PlanNode): number {
    return this.#at(node).round
  }

  /** Where the step came from, in plan order: the sources of its live edges. */
  cameFrom(node: PlanNode): readonly PlanNode[] {
    return this.#at(node).came.toSorted((a, b) => a.index - b.index)
  }

  /** The nodes above that this occurrence knows of, as bits. */
  arrived(node: PlanNode): bigint {
    return this.#at(node).arrived
  }

  /** How often this Loop node has gone back since the loops around it last did. */
  jumpsOf(loop: PlanNode): number {
    return this.#jumps.get(loop) ?? 0
  }

  /** What may run, in plan order. Walks all nodes: for the beginning. */
  ready(): PlanNode[] {
    return this.#plan.nodes.filter((node) => this.phase(node) === 'ready')
  }

  /** Nothing may run and nobody is waited for. */
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

  #ask(target: LoopTarget, loop: PlanNode): void {
    const asking = this.#pending.get(target)
    if (asking) asking.add(loop)
    else this.#pending.set(target, new Set([loop]))
  }

  /** Judges the edges of an ended node, and those of all that are skipped by it. */
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

  /** The deepest that is asked for and not held up. What lies deeper is asked first, so it need only have ended. */
  #nextTarget(): LoopTarget | undefined {
    if (this.#pending.size === 0) return undefined
    return this.#plan.targets.find(
      (target) => this.#pending.has(target) && [target, ...target.deeper].every((one) => this.#isSettled(one)),
    )
  }

  #isSettled(target: LoopTarget): boolean {
    return this.#unsettled.get(target) === 0
  }

  /** Several Loop nodes that go back to one target go back together; it counts for each of them. */
  #jump(target: LoopTarget): Jump {
    const loops = target.loops.filter((loop) => this.#pending.get(target)?.has(loop))
    this.#pending.delete(target)
    for (const loop of loops) this.#jumps.set(loop, this.jumpsOf(loop) + 1)
    const knew = target.round.reduce((bits, node) => bits | this.arrived(node), target.bits)
    for (const node of target.round) this.#renew(node, target)
    this.#makeReady(target.node)
    return { target, knew, count: Math.max(...loops.map((loop) => this.jumpsOf(loop))) }
  }

  /** A new round of a node. What it asked for in the old one is void; a loop within a loop begins anew. */
  #renew(node: PlanNode, target: LoopTarget): void {
    for (const held of node.heldUp) this.#hold(held, 1)
    if (node.backTo && node.backTo !== target) this.#renewLoop(node, { backTo: node.backTo, target })
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
    const asking = this.#pending.get(backTo)
    asking?.delete(loop)
    if (asking?.size === 0) this.#pending.delete(backTo)
    if (leadsTo(target.node, backTo.node)) this.#jumps.delete(loop)
  }
}

function isTaken({ output }: PlanEdge, taken: readonly number[] | null): boolean {
  return taken ? taken.includes(output) : output !== ERROR_OUTPUT
}

function heldUpBy({ round, loops }: LoopTarget): number {
  return new Set([...round, ...loops]).size
}
