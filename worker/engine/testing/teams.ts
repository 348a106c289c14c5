/** Test helpers: plans of teams, made without a drawing. */
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import type { NextTurn, StepContext, StepResult, Team } from '../../nodes/types.ts'
import { connectPlan, type Plan, type PlanNode, planNode } from '../plan.ts'
import { createRun } from '../run.ts'
import type { RunOutcome, RunRequest, StepRow } from '../types.ts'
import { catalogueOf, drawNode, nodeType, requestFor } from './flows.ts'

type Run = (context: StepContext) => Promise<StepResult> | StepResult

/** Returns a node that runs alone, as the plan of a flow or of a member. */
export function agentPlan(id: string, run: Run): Plan {
  return planOf(planNode(drawNode(id), nodeType('agent', run), catalogueOf()))
}

/** Returns a container, as the plan of a flow or of a member. */
export function teamPlan<Memory>(id: string, team: Team<Memory>, members: Record<string, Plan>): Plan {
  const type = nodeType('team', () => Promise.reject(new Error('A team has no code')))
  const node = planNode(drawNode(id), type, catalogueOf())
  return planOf({ ...node, team, members: new Map(Object.entries(members)) })
}

/** Returns one plan of the nodes of several, which run side by side. */
export function joinPlans(...plans: Plan[]): Plan {
  return planOf(...plans.flatMap(({ nodes }) => nodes))
}

function planOf(...nodes: PlanNode[]): Plan {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return connectPlan({ edges: [] }, { drawn: nodes.map(({ id }) => drawNode(id)), byId, kind: agentflow })
}

/** Runs a plan. `rows` is the whole log. */
export async function runPlan(
  plan: Plan,
  more: Partial<RunRequest> = {},
): Promise<{ outcome: RunOutcome; rows: StepRow[] }> {
  const request = requestFor({ nodes: [], edges: [] }, { compile: () => plan, ...more })
  const outcome = await createRun(catalogueOf())(request)
  return { outcome, rows: [...request.done, ...request.rows] }
}

/** Returns a team whose groups are fixed, each written as the names of its members. Its text is that of all turns. */
export function scriptedTeam(groups: string[][], atOnce = 1): Team<{ at: number; texts: string[] }> {
  return {
    begin: () => ({ memory: { at: 0, texts: [] }, input: groups }),
    next: ({ at }) => groups[at] && { turns: groups[at].map(turnOf), atOnce, onError: 'stop' },
    after: ({ at, texts }, ended) => ({ at: at + 1, texts: [...texts, ...ended.map(({ text }) => text)] }),
    end: ({ texts }) => ({ output: { content: texts.join(', ') } }),
  }
}

const turnOf = (member: string): NextTurn => ({ member })
