/** A home page with everything on it, and with names of every length. */
import type { Home } from '#contract/home/home.ts'
import type { RunState } from '#contract/runs/events.ts'

const STATES: RunState[] = ['FINISHED', 'ERROR', 'STOPPED', 'INPROGRESS', 'TERMINATED', 'TIMEOUT']
const NAMES = [
  'Cloth',
  'Answers what customers ask about their orders, in their own language and at night',
  'an-unbroken-name-that-is-much-longer-than-any-card-of-the-home-page-is-wide',
]
const date = '2026-01-05T09:00:00.000Z'
const node = (x: number, y: number) => ({ name: 'llmAgentflow', x, y, width: 200, height: 80 })

/** As wide as a chain of eight, as tall as a choice of six, and a single node. */
const SKETCHES: Home['flows'][number]['sketch'][] = [
  {
    width: 2440,
    height: 80,
    nodes: Array.from({ length: 8 }, (_, at) => node(320 * at, 0)),
    edges: Array.from({ length: 7 }, (_, at) => ({ from: at, to: at + 1 })),
  },
  {
    width: 520,
    height: 980,
    nodes: [node(0, 450), ...Array.from({ length: 6 }, (_, at) => node(320, 180 * at))],
    edges: Array.from({ length: 6 }, (_, at) => ({ from: 0, to: at + 1 })),
  },
  { width: 200, height: 80, nodes: [node(0, 0)], edges: [] },
]

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T
const flowAt = (at: number) => ({ id: `flow-${at}`, name: pick(NAMES, at), type: 'AGENTFLOW' as const })

export const fullHome: Home = {
  flows: Array.from({ length: 8 }, (_, at) => ({
    ...flowAt(at),
    updatedDate: date,
    sketch: pick(SKETCHES, at),
    lastRun: at === 7 ? null : { id: `run-${at}`, state: pick(STATES, at), createdDate: date },
  })),
  waiting: [0, 1, 2].map((at) => ({
    id: `run-${at}`,
    flow: flowAt(at),
    question: at === 0 ? null : pick(NAMES, at + 1),
    step: at === 0 ? null : 'Editor',
    waitsFor: at === 2 ? 'Finance' : null,
    updatedDate: date,
  })),
  failing: [0, 2].map((at) => ({
    id: `trigger-${at}`,
    name: pick(NAMES, at),
    flow: flowAt(at),
    state: at === 0 ? 'active' : 'failing',
    failuresInRow: at + 1,
    reason: 'The model did not answer in time',
    lastFailure: date,
  })),
}
