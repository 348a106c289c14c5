/** Builds a document from a plan, by the rules of the canvas. Pure. */

import { checkConnection, connectNodes } from '#contract/flow/document/connect.ts'
import { createNode, declaredParts } from '#contract/flow/document/create.ts'
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { isStickyNote } from '#contract/flow/document/sticky-note.ts'
import { conditionAnchors, conditionItems } from '#contract/flow/kinds/agentflow/conditions.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import { loopBackValue } from '#contract/flow/kinds/agentflow/loop.ts'
import { AGENT_FLOWS, ITERATION, isConditionNode, START } from '#contract/flow/kinds/agentflow/nodes.ts'
import { layOut } from '#contract/flow/kinds/agentflow/place.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { ChosenModel } from '../../components/chosen-model.ts'
import { withPlannedInputs } from './inputs.ts'
import type { FlowPlan, PlanLink, PlanStep } from './plan.ts'

interface BuildOptions {
  /** The draft to change; nodes that the plan names are kept. */
  base: FlowDocument
  definitions: ReadonlyMap<string, ComponentDefinition>
  model: ChosenModel
}

interface BuiltFlow {
  flow: FlowDocument
  /** Problems of the plan, for its author. */
  problems: string[]
}

const MAX_STEPS = 100
const MAX_LINKS = 500

export function buildFlow(plan: FlowPlan, options: BuildOptions): BuiltFlow {
  const problems: string[] = []
  const problem = (text: string) => void problems.push(text)
  if (plan.steps.length > MAX_STEPS) return { flow: options.base, problems: [`More than ${MAX_STEPS} steps`] }
  if (plan.links.length > MAX_LINKS) return { flow: options.base, problems: [`More than ${MAX_LINKS} links`] }
  const made = makeNodes(withStart(plan), { ...options, problem })
  const filled = fillInputs(made, { ...options, problem })
  const joined = connectAll({ nodes: filled, edges: [] }, { made, options, problem })
  const kept = new Set(options.base.nodes.map(({ id }) => id))
  return { flow: layOut(joined, kept), problems }
}

interface BuildContext extends BuildOptions {
  problem(text: string): void
}

interface Made {
  plan: FlowPlan
  /** By step id. */
  nodes: ReadonlyMap<string, FlowNode>
}

/** Adds a missing Start in front of the steps that no link enters. */
function withStart(plan: FlowPlan): FlowPlan {
  if (plan.steps.some(({ type }) => type === START)) return plan
  const entered = new Set(plan.links.map(({ to }) => to))
  const first = plan.steps.filter(({ id, inside }) => inside === '' && !entered.has(id))
  const start = { id: START, type: START, label: 'Start', inside: '', inputs: [] }
  return {
    steps: [start, ...plan.steps],
    links: [...first.map(({ id }) => ({ from: START, output: 0, to: id })), ...plan.links],
  }
}

function makeNodes(plan: FlowPlan, context: BuildContext): Made {
  const nodes = new Map<string, FlowNode>()
  // Containers come before their children.
  for (const step of plan.steps.toSorted((a, b) => Number(a.inside !== '') - Number(b.inside !== ''))) {
    if (nodes.has(step.id)) context.problem(`Two steps have the id ${step.id}`)
    const node = nodes.has(step.id) ? undefined : makeNode(step, nodes, context)
    if (node) nodes.set(step.id, node)
  }
  return { plan, nodes }
}

function makeNode(
  step: PlanStep,
  nodes: ReadonlyMap<string, FlowNode>,
  { base, definitions, problem }: BuildContext,
): FlowNode | undefined {
  const had = base.nodes.find(({ id, data }) => id === step.id && data.name === step.type)
  const parent = step.inside === '' ? undefined : nodes.get(step.inside)
  if (step.inside !== '' && parent?.data.name !== ITERATION) {
    problem(`${step.label}: inside must be empty or the id of an iteration, not ${step.inside}`)
  }
  const definition = definitions.get(step.type)
  if (had) {
    // Imported files may lack what their type declares.
    const outputAnchors =
      had.data.outputAnchors ?? (definition && declaredParts(definition, had.id, agentflow).outputAnchors)
    return { ...moved(had, parent?.id), data: { ...had.data, label: step.label || had.data.label, outputAnchors } }
  }
  if (definition?.category !== AGENT_FLOWS) {
    problem(`${step.label}: there is no type ${step.type}`)
    return undefined
  }
  const all = [...base.nodes, ...nodes.values()]
  const verdict = agentflow.checkPlacement({ nodes: [...nodes.values()] }, definition, parent?.id)
  if (!verdict.ok) problem(`${step.label}: ${verdict.reason}`)
  const placement = { nodes: all, position: { x: 0, y: 0 }, parentNode: parent?.id }
  const node = createNode(definition, placement, agentflow)
  return { ...node, data: { ...node.data, label: step.label || node.data.label } }
}

function moved(node: FlowNode, parent: string | undefined): FlowNode {
  if (node.parentNode === parent) return node
  const { parentNode: _, extent: __, ...free } = node
  return parent ? { ...free, parentNode: parent, extent: 'parent' } : (free as FlowNode)
}

function fillInputs({ plan, nodes }: Made, context: BuildContext): FlowNode[] {
  const ids = new Map([...nodes].map(([id, node]) => [id, node.id]))
  const loopValueOf = (id: string) => {
    const node = nodes.get(id) ?? nodes.get(id.split('-', 1)[0] as string)
    return node && loopBackValue(node)
  }
  const notes = context.base.nodes.filter(({ data }) => isStickyNote(data))
  const filled = plan.steps.flatMap((step) => {
    const node = nodes.get(step.id)
    const definition = context.definitions.get(step.type)
    if (!node || !definition) return node ?? []
    return withOutputs(withPlannedInputs(node, step, { definition, filling: { ...context, ids, loopValueOf } }))
  })
  return [...new Map([...filled, ...notes].map((node) => [node.id, node])).values()]
}

/** Returns a condition node with one output for each item. */
function withOutputs(node: FlowNode): FlowNode {
  if (!isConditionNode(node.data)) return node
  return { ...node, data: { ...node.data, outputAnchors: conditionAnchors(node, conditionItems(node).length) } }
}

function connectAll(
  flow: FlowDocument,
  { made, options, problem }: { made: Made; options: BuildOptions; problem(text: string): void },
): FlowDocument {
  return made.plan.links.reduce((so, link) => connect(so, link, { made, options, problem }), flow)
}

function connect(
  flow: FlowDocument,
  link: PlanLink,
  { made, options, problem }: { made: Made; options: BuildOptions; problem(text: string): void },
): FlowDocument {
  const find = (id: string) => flow.nodes.find((node) => node.id === made.nodes.get(id)?.id)
  const source = find(link.from)
  const target = find(link.to)
  if (!source || !target) {
    problem(`A link from ${link.from} to ${link.to}: there is no step ${source ? link.to : link.from}`)
    return flow
  }
  const sourceHandle = source.data.outputAnchors?.[link.output]?.id
  const connection = { source: source.id, target: target.id, ...(sourceHandle ? { sourceHandle } : {}) }
  const had = options.base.edges.find(
    (edge) => edge.source === source.id && edge.target === target.id && edge.sourceHandle === sourceHandle,
  )
  if (had && !flow.edges.includes(had)) return { ...flow, edges: [...flow.edges, had] }
  const verdict = checkConnection(flow, connection, agentflow)
  if (verdict.ok && sourceHandle) return connectNodes(flow, connection, agentflow)
  const why = verdict.ok ? `it has no output ${link.output}` : verdict.reason
  problem(`A link from ${source.data.label} to ${target.data.label}: ${why}`)
  return flow
}
