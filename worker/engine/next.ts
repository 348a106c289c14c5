/** What may run now, from what has run: the flow's own plan, without what happens inside its containers. Pure. */

import { type Logged, meaningOf } from './log-rows.ts'
import { pathOf } from './paths.ts'
import type { Plan, PlanNode } from './plan.ts'
import { type Phase, Scheduler } from './scheduler.ts'

export interface Next {
  /** The steps that may run now, in plan order. A container is among them until its last item has ended. */
  ready: string[]
  /** The steps that wait for a person, in plan order. */
  waiting: string[]
  /** The steps that no branch can reach any more, in plan order. */
  skipped: string[]
  /** Nothing is left to run, and nobody is waited for. */
  finished: boolean
}

/** Folds the rows in the order of the log. Rows of steps that were not due are of another plan, and count for nothing. */
export function next(plan: Plan, rows: Iterable<Logged>): Next {
  const scheduler = new Scheduler(plan)
  const pathNow = (node: PlanNode) => pathOf(node.id, scheduler.round(node), '')
  for (const row of rows) {
    const node = plan.byId.get(row.nodeId)
    if (!node || row.path !== pathNow(node)) continue
    if (scheduler.phase(node) !== 'ready' && scheduler.phase(node) !== 'waiting') continue
    const meaning = meaningOf(row)
    if (meaning === 'ended') scheduler.finish(node, row.takenOutputs)
    if (meaning === 'waiting') scheduler.wait(node)
    if (meaning === 'answered') scheduler.answer(node)
  }
  const those = (phase: Phase) => plan.nodes.filter((node) => scheduler.phase(node) === phase).map(pathNow)
  return { ready: those('ready'), waiting: those('waiting'), skipped: those('skipped'), finished: scheduler.isDone }
}
