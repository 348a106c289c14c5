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

/** The finished steps by their path. */
export type Log = ReadonlyMap<string, Logged>

type Fate = 'live' | 'dead' | 'open'

/**
 * Judges every edge by itself: live when its source is done and took that output, dead when the source did not take it or was skipped,
 * else still open. A node waits while an edge to it is open, is skipped when all of them are dead, and otherwise runs once.
 */
export function next(plan: Plan, log: Log): Next {
  const ready: string[] = []
  const skipped: string[] = []
  const dead = new Set<string>()
  for (const node of plan.nodes) {
    if (log.has(node.id)) continue
    const fates = node.incoming.map((edge) => (dead.has(edge.source.id) ? 'dead' : fate(edge, log)))
    if (fates.includes('open')) continue
    if (fates.length > 0 && !fates.includes('live')) {
      dead.add(node.id)
      skipped.push(node.id)
    } else ready.push(node.id)
  }
  return { ready, skipped, finished: ready.length === 0 }
}

/** What has become of an edge, as far as its source tells. */
export function fate({ source, output }: PlanEdge, log: Log): Fate {
  const row = log.get(source.id)
  if (!row) return 'open'
  return !row.takenOutputs || row.takenOutputs.includes(output) ? 'live' : 'dead'
}
