/** A plan becomes a document, by the rules by which a person draws one. Pure. */

import { checkConnection, connectNodes } from '#contract/flow/document/connect.ts'
import { checkPlacement, createNode, declaredParts } from '#contract/flow/document/create.ts'
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { isStickyNote } from '#contract/flow/document/sticky-note.ts'
import { conditionAnchors, conditionItems } from '#contract/flow/kinds/agentflow/conditions.ts'
import { loopBackValue } from '#contract/flow/kinds/agentflow/loop.ts'
import { AGENT_FLOWS, ITERATION, isConditionNode, START } from '#contract/flow/kinds/agentflow/nodes.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { type ChosenModel, withPlannedInputs } from './inputs.ts'
import { place } from './place.ts'
import type { FlowPlan, PlanLink, PlanStep } from './plan.ts'

export interface Building {
  /** The draft that is changed; its nodes are kept where the plan names them. */
  base: FlowDocument
  definitions: ReadonlyMap<string, ComponentDefinition>
  model: ChosenModel
}

export interface BuiltFlow {
  flow: FlowDocument
  /** Of the plan, in words for its author. */
  problems: string[]
}

const MAX_STEPS = 100
const MAX_LINKS = 500

export function buildFlow(plan: FlowPlan, building: Building): BuiltFlow {
  const problems: string[] = []
  const problem = (text: string) => void problems.push(text)
  if (plan.steps.length > MAX_STEPS) return { flow: building.base, problems: [`More than ${MAX_STEPS} steps`] }
  if (plan.links.length > MAX_LINKS) return { flow: building.base, problems: [`More than ${MAX_LINKS} links`] }
  const made = makeNodes(withStart(plan), { ...building, problem })
  const filled = fillInputs(made, { ...building, problem })
  const joined = connectAll({ nodes: filled, edges: [] }, { made, building, problem })
  const kept = new Set(building.base.nodes.map(({ id }) => id))
  return { flow: place(joined, kept), problems }
}

interface Making extends Building {
  problem(text: string): void
}

interface Made {
  plan: FlowPlan
  /** By the plan's ids. */
  nodes: ReadonlyMap<string, FlowNode>
}

/** Every flow begins at Start: a plan that forgets it means the steps that nothing leads to. */
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

function makeNodes(plan: FlowPlan, making: Making): Made {
  const nodes = new Map<string, FlowNode>()
  // Containers come before what stands in them.
  for (const step of plan.steps.toSorted((a, b) => Number(a.inside !== '') - Number(b.inside !== ''))) {
    if (nodes.has(step.id)) making.problem(`Two steps have the id ${step.id}`)
    const node = nodes.has(step.id) ? undefined : makeNode(step, nodes, making)
    if (node) nodes.set(step.id, node)
  }
  return { plan, nodes }
}

function makeNode(
  step: PlanStep,
  nodes: ReadonlyMap<string, FlowNode>,
  { base, definitions, problem }: Making,
): FlowNode | undefined {
  const had = base.nodes.find(({ id, data }) => id === step.id && data.name === step.type)
  const parent = step.inside === '' ? undefined : nodes.get(step.inside)
  if (step.inside !== '' && parent?.data.name !== ITERATION) {
    problem(`${step.label}: inside must be empty or the id of an iteration, not ${step.inside}`)
  }
  const definition = definitions.get(step.type)
  if (had) {
    // Files may leave out what their type declares.
    const outputAnchors = had.data.outputAnchors ?? (definition && declaredParts(definition, had.id).outputAnchors)
    return { ...moved(had, parent?.id), data: { ...had.data, label: step.label || had.data.label, outputAnchors } }
  }
  if (definition?.category !== AGENT_FLOWS) {
    problem(`${step.label}: there is no type ${step.type}`)
    return undefined
  }
  const all = [...base.nodes, ...nodes.values()]
  const verdict = checkPlacement({ nodes: [...nodes.values()] }, definition, parent?.id)
  if (!verdict.ok) problem(`${step.label}: ${verdict.reason}`)
  const node = createNode(definition, { nodes: all, position: { x: 0, y: 0 }, parentNode: parent?.id })
  return { ...node, data: { ...node.data, label: step.label || node.data.label } }
}

function moved(node: FlowNode, parent: string | undefined): FlowNode {
  if (node.parentNode === parent) return node
  const { parentNode: _, extent: __, ...free } = node
  return parent ? { ...free, parentNode: parent, extent: 'parent' } : (free as FlowNode)
}

function fillInputs({ plan, nodes }: Made, making: Making): FlowNode[] {
  const ids = new Map([...nodes].map(([id, node]) => [id, node.id]))
  const loopValueOf = (id: string) => {
    const node = nodes.get(id) ?? nodes.get(id.split('-', 1)[0] as string)
    return node && loopBackValue(node)
  }
  const notes = making.base.nodes.filter(({ data }) => isStickyNote(data))
  const filled = plan.steps.flatMap((step) => {
    const node = nodes.get(step.id)
    const definition = making.definitions.get(step.type)
    if (!node || !definition) return node ?? []
    return withOutputs(withPlannedInputs(node, step, { definition, filling: { ...making, ids, loopValueOf } }))
  })
  return [...new Map([...filled, ...notes].map((node) => [node.id, node])).values()]
}

/** The outputs of a condition follow its items. */
function withOutputs(node: FlowNode): FlowNode {
  if (!isConditionNode(node.data)) return node
  return { ...node, data: { ...node.data, outputAnchors: conditionAnchors(node, conditionItems(node).length) } }
}

function connectAll(
  flow: FlowDocument,
  { made, building, problem }: { made: Made; building: Building; problem(text: string): void },
): FlowDocument {
  return made.plan.links.reduce((so, link) => connect(so, link, { made, building, problem }), flow)
}

function connect(
  flow: FlowDocument,
  link: PlanLink,
  { made, building, problem }: { made: Made; building: Building; problem(text: string): void },
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
  const had = building.base.edges.find(
    (edge) => edge.source === source.id && edge.target === target.id && edge.sourceHandle === sourceHandle,
  )
  if (had && !flow.edges.includes(had)) return { ...flow, edges: [...flow.edges, had] }
  const verdict = checkConnection(flow, connection)
  if (verdict.ok && sourceHandle) return connectNodes(flow, connection)
  const why = verdict.ok ? `it has no output ${link.output}` : verdict.reason
  problem(`A link from ${source.data.label} to ${target.data.label}: ${why}`)
  return flow
}
