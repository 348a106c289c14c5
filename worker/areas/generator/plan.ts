/** A compact form of a flow, which a model reads and writes instead of a document. */

import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { isStickyNote } from '#contract/flow/document/sticky-note.ts'
import { outputIndex } from '#contract/flow/kinds/agentflow/handles.ts'
import { isBlank } from '#contract/flow/params/blank.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { FLOW_PLAN } from '#contract/generator/generator.ts'

export interface FlowPlan {
  steps: PlanStep[]
  links: PlanLink[]
}

export interface PlanStep {
  /** The node's id when the node exists already. */
  id: string
  type: string
  label: string
  /** The id of its container, or empty. */
  inside: string
  /** Texts; lists and objects as JSON. Unlike a map, this fits providers that want every key declared. */
  inputs: { name: string; value: string }[]
}

export interface PlanLink {
  from: string
  /** Index of the output, from 0. */
  output: number
  to: string
}

export function planSchema(types: readonly string[]): Record<string, unknown> {
  const text = { type: 'string' }
  const step = object({
    id: text,
    type: { type: 'string', enum: [...types] },
    label: text,
    inside: text,
    inputs: { type: 'array', items: object({ name: text, value: text }) },
  })
  const link = object({ from: text, output: { type: 'integer' }, to: text })
  return {
    title: FLOW_PLAN,
    ...object({ steps: { type: 'array', items: step }, links: { type: 'array', items: link } }),
  }
}

/** Returns the plan of a draft: inputs that differ from their defaults, without models and their settings. */
export function toPlan(flow: FlowDocument, definitions: ReadonlyMap<string, ComponentDefinition>): FlowPlan {
  const nodes = flow.nodes.filter(({ data }) => !isStickyNote(data))
  return {
    steps: nodes.map((node) => ({
      id: node.id,
      type: node.data.name,
      label: node.data.label,
      inside: node.parentNode ?? '',
      inputs: planInputs(node, definitions.get(node.data.name)),
    })),
    links: flow.edges.map(({ source, sourceHandle, target }) => ({
      from: source,
      output: outputIndex(sourceHandle) ?? 0,
      to: target,
    })),
  }
}

/** Returns an input's value as plans write it. */
export function planText(value: unknown): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value, (key, inner) => (key.endsWith('Config') ? undefined : inner)) ?? ''
}

function planInputs({ data }: FlowNode, definition: ComponentDefinition | undefined): PlanStep['inputs'] {
  const named = (definition?.inputs ?? []).filter(({ loadMethod }) => loadMethod !== 'listModels')
  const names = new Set(named.map(({ name }) => name))
  return [...names].flatMap((name) => {
    const value = data.inputs?.[name]
    const declared = named.find((param) => param.name === name)?.default
    return isBlank(value) || planText(value) === planText(declared ?? '') ? [] : [{ name, value: planText(value) }]
  })
}

function object(properties: Record<string, unknown>) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}
