/** Compiles chat flows. Of the nodes that lead to an answer, or fill a store, some run and the others are their components. Pure. */
import type { FlowDocument, FlowEdge, FlowNode } from '#contract/flow/document/document.ts'
import { type FlowGraph, findCycle, graphOf, upstreamOf } from '#contract/flow/document/graph.ts'
import { isStickyNote } from '#contract/flow/document/sticky-note.ts'
import { chosenOutput, endingNodes } from '#contract/flow/kinds/chatflow/endings.ts'
import { chatflow } from '#contract/flow/kinds/chatflow/kind.ts'
import { connectionProblems } from '#contract/flow/kinds/chatflow/problems.ts'
import { variableEdges } from '#contract/flow/kinds/chatflow/variables.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { isParam, paramsOf, withFormerNames } from '#contract/flow/params/params.ts'
import {
  compileTemplate,
  findReferences,
  type Lookup,
  type Template,
  writtenInJson,
} from '#contract/flow/references/references.ts'
import { aboutNode, error } from '#contract/flow/rules/problem.ts'
import { structureProblems, unknownTypeIssue } from '#contract/flow/rules/structure.ts'
import type { ChatNodeType, ComponentNodeType } from '../nodes/types.ts'
import {
  type Catalogue,
  type Compile,
  connectPlan,
  labelOf,
  type PlanComponent,
  type PlanNode,
  planNode,
  refuse,
  type Wired,
} from './plan.ts'
import type { InputTemplates } from './resolve-inputs.ts'

/** Throws as `compile` of plan.ts does. */
export const compileChatflow: Compile = (drawing, catalogue) => {
  refuse(structureProblems(drawing, chatflow))
  const endings = (graph: FlowGraph) => endingNodes(graph).map(({ id }) => id)
  return compileNeededNodes(drawing, catalogue, endings)
}

/** Compiles what fills a vector store: its node runs, and what leads to it. Nothing answers. */
export const compileUpsert =
  (storeId: string): Compile =>
  (drawing, catalogue) => {
    const missing = (graph: FlowGraph) => {
      const store = graph.nodes.get(storeId)
      return store ? connectionProblems([store], graph) : []
    }
    refuse(structureProblems(drawing, { ...chatflow, structureProblems: missing }))
    return compileNeededNodes(drawing, catalogue, () => [storeId])
  }

/** @param endings returns the ids of the nodes that a run is for */
function compileNeededNodes(drawing: FlowDocument, catalogue: Catalogue, endings: (graph: FlowGraph) => string[]) {
  const graph = keepNeededNodes(withVariableEdges(drawing), endings)
  const draft = new ChatDraft(graph, catalogue)
  refuse(draft.problems())
  const drawn = draft.steps()
  const byId = new Map(drawn.map((node) => [node.id, draft.planStep(node)]))
  return connectPlan({ edges: draft.stepEdges() }, { drawn, byId, kind: chatflow })
}

/** Edges that would close a cycle are left out: the variable then has the value that it had before. */
function withVariableEdges(flow: FlowDocument): FlowDocument {
  const added = variableEdges(flow)
  const whole = { ...flow, edges: [...flow.edges, ...added] }
  return added.length > 0 && findCycle(graphOf(whole)) ? flow : whole
}

/** Returns the graph of the nodes that a run is for, and of everything that leads to them. */
function keepNeededNodes(flow: FlowDocument, endingsOf: (graph: FlowGraph) => string[]): FlowGraph {
  const nodes = flow.nodes.filter(({ data }) => !isStickyNote(data))
  const ids = new Set(nodes.map(({ id }) => id))
  const whole = graphOf({ nodes, edges: flow.edges.filter(({ source, target }) => ids.has(source) && ids.has(target)) })
  const endings = endingsOf(whole)
  const needed = new Set([...endings, ...endings.flatMap((id) => [...upstreamOf(whole, id)])])
  return graphOf({
    nodes: nodes.filter(({ id }) => needed.has(id)),
    edges: flow.edges.filter(({ source, target }) => needed.has(source) && needed.has(target)),
  })
}

class ChatDraft {
  readonly #graph: FlowGraph
  readonly #catalogue: Catalogue
  readonly #components = new Map<string, PlanComponent>()
  readonly #users = new Map<string, ReadonlySet<string>>()

  constructor(graph: FlowGraph, catalogue: Catalogue) {
    this.#graph = graph
    this.#catalogue = catalogue
  }

  problems() {
    return [...this.#graph.nodes.values()].flatMap((node) => {
      const { name } = node.data
      const isKnown = this.#catalogue.node(name) || this.#catalogue.component(name)
      return isKnown ? [] : aboutNode(node, [error(unknownTypeIssue(name))])
    })
  }

  steps(): FlowNode[] {
    return [...this.#graph.nodes.values()].filter((node) => this.#runs(node))
  }

  /** A component of a step stands between steps as if it were the step. */
  stepEdges(): FlowEdge[] {
    return [...this.#graph.outgoing.values()].flat().flatMap((edge) => {
      const source = this.#graph.nodes.get(edge.source)
      if (!source || !this.#runs(source)) return []
      return [...this.#usersOf(edge.target)].map((target) => ({ ...edge, target }))
    })
  }

  planStep(node: FlowNode): PlanNode {
    const type = this.#catalogue.node(node.data.name) as ChatNodeType
    return { ...planNode(node, type, this.#catalogue), ...this.#wire(node, type) }
  }

  /** Nodes that answer always run; of the others those that provide no component, and those whose result was asked for. */
  #runs(node: FlowNode): boolean {
    const type = this.#catalogue.node(node.data.name) as ChatNodeType | undefined
    if (!type) return false
    if (!type.provide || !this.#graph.outgoing.get(node.id)?.length) return true
    return type.runsFor?.includes(chosenOutput(node.data)) ?? false
  }

  /** The steps that a node belongs to: itself, or those that its component is handed to. */
  #usersOf(id: string): ReadonlySet<string> {
    const known = this.#users.get(id)
    if (known) return known
    const isStep = this.#runs(this.#graph.nodes.get(id) as FlowNode)
    const after = isStep ? [] : (this.#graph.outgoing.get(id) ?? []).flatMap(({ target }) => [...this.#usersOf(target)])
    const users = new Set(isStep ? [id] : after)
    this.#users.set(id, users)
    return users
  }

  #component(id: string): PlanComponent {
    const known = this.#components.get(id)
    if (known) return known
    const node = this.#graph.nodes.get(id) as FlowNode
    const { name, credential } = node.data
    const type = (this.#catalogue.component(name) ?? this.#catalogue.node(name)) as ComponentNodeType
    const component = {
      id,
      name,
      label: labelOf(node),
      credential: credential || undefined,
      type,
      ...this.#wire(node, type),
    }
    this.#components.set(id, component)
    return component
  }

  #wire(
    node: FlowNode,
    { definition }: ComponentNodeType | ChatNodeType,
  ): Pick<Wired, 'output' | 'rawInputs' | 'inputs' | 'links'> {
    const params = definition.inputs.length > 0 ? definition.inputs : paramsOf(node)
    const rawInputs = withFormerNames(params, node.data.inputs ?? {})
    const links = params
      .filter(({ type }) => !isParam(type))
      .map(({ name }) => [name, this.#componentsAt(rawInputs[name])] as const)
    return {
      output: chosenOutput(node.data),
      rawInputs,
      inputs: compileChatInputs(rawInputs, params),
      links: new Map(links.filter(([, components]) => components.length > 0)),
    }
  }

  #componentsAt(value: unknown): PlanComponent[] {
    const ids = findReferences(value).map(({ reference }) => reference.root)
    return [...new Set(ids)].flatMap((id) => {
      const node = this.#graph.nodes.get(id)
      return node && !this.#runs(node) ? [this.#component(id)] : []
    })
  }
}

/**
 * Texts that accept variables, and inputs for edges, may name everything. Every other text may name the workspace's
 * variables and the flow only, so that the braces of a prompt stay braces. Code is never a template.
 */
function compileChatInputs(inputs: Record<string, unknown>, params: InputParam[]): InputTemplates {
  const byName = new Map(params.map((param) => [param.name, param]))
  const missing = params.filter(({ name, default: value }) => inputs[name] === undefined && value !== undefined)
  const constant = { ...inputs, ...Object.fromEntries(missing.map((param) => [param.name, param.default])) }
  const templates = Object.entries(constant).flatMap(([name, value]) => {
    const template = templateOf(value, byName.get(name))
    return template ? [[name, template] as const] : []
  })
  return { constant, templates }
}

function templateOf(value: unknown, param: InputParam | undefined): Template | undefined {
  if (param?.type === 'code') return undefined
  const isOpen = param !== undefined && (param.acceptVariable === true || !isParam(param.type))
  const write = param?.type === 'json' ? writtenInJson : undefined
  const compiled = compileDeep(value, (text) => compileTemplate(text, write))
  if (!compiled || isOpen) return compiled
  return (lookup) => compiled((reference) => (OF_THE_FLOW.includes(reference.root) ? lookup(reference) : undefined))
}

const OF_THE_FLOW = ['$vars', '$flow']

function compileDeep(value: unknown, compile: (text: string) => Template | undefined): Template | undefined {
  if (typeof value === 'string') return compile(value)
  if (typeof value !== 'object' || value === null) return undefined
  const compiled = Object.entries(value).map(([key, inner]) => [key, inner, compileDeep(inner, compile)] as const)
  if (compiled.every(([, , template]) => !template)) return undefined
  const resolve = (lookup: Lookup) =>
    compiled.map(([key, inner, template]) => [key, template ? template(lookup) : inner] as const)
  return Array.isArray(value)
    ? (lookup) => resolve(lookup).map(([, inner]) => inner)
    : (lookup) => Object.fromEntries(resolve(lookup))
}
