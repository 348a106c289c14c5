/** What may run now, from what has run. Pure: the same log gives the same answer, in whatever order its rows arrived. */
import type { Plan, PlanEdge } from './plan.ts'

/** Of a logged step, what routing needs. */
export interface Logged {
  path: string
  /** Decision nodes: the outputs that go on; null = all. */
  takenOutputs: number[] | null
}

export interface Next {
  /** The steps that may run now, in plan order. */
  ready: string[]
  /** The steps that no branch can reach any more, in plan order. */
  skipped: string[]
  /** Nothing is left to run. */
  finished: boolean
}

type Fate = 'live' | 'dead' | 'open'

/**
 * Judges every edge by itself: live when its source is done and took that output, dead when the source did not take it or was skipped,
 * else still open. A node waits while an edge to it is open, is skipped when all of them are dead, and otherwise runs once.
 * @param log the finished steps; each node at most once
 */
export function next(plan: Plan, log: Iterable<Logged>): Next {
  const done = new Map<string, Logged>()
  for (const row of log) done.set(row.path, row)
  const ready: string[] = []
  const skipped: string[] = []
  const dead = new Set<string>()
  for (const node of plan.nodes) {
    if (done.has(node.id)) continue
    const fates = node.incoming.map((edge) => fate(edge, done, dead))
    if (fates.includes('open')) continue
    if (fates.length > 0 && !fates.includes('live')) {
      dead.add(node.id)
      skipped.push(node.id)
    } else ready.push(node.id)
  }
  return { ready, skipped, finished: ready.length === 0 }
}

function fate(edge: PlanEdge, done: Map<string, Logged>, dead: Set<string>): Fate {
  const row = done.get(edge.source.id)
  if (row) return !row.takenOutputs || row.takenOutputs.includes(edge.output) ? 'live' : 'dead'
  return dead.has(edge.source.id) ? 'dead' : 'open'
}
