/** Draws flows as the canvas does, from the definitions that the product under test has. */

import { connectNodes } from '#contract/flow/document/connect.ts'
import { createNode } from '#contract/flow/document/create.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { Api } from './api.ts'

export interface Part {
  name: string
  label?: string
  inputs?: Record<string, unknown>
  at?: [x: number, y: number]
}

/** Indexes of two parts, and which of the first one's outputs. */
export type Link = [from: number, to: number, output?: number]

/** The parts stand in a row unless they say where, and form a chain unless `links` say otherwise. */
export async function draw(api: Pick<Api, 'get'>, parts: Part[], links: Link[] = inARow(parts)): Promise<FlowDocument> {
  const definitions = await api.get<ComponentDefinition[]>('/nodes')
  let flow: FlowDocument = { nodes: [], edges: [] }
  for (const [index, part] of parts.entries()) {
    const definition = definitions.find(({ name }) => name === part.name)
    if (!definition) throw new Error(`There is no node type ${part.name}`)
    const [x, y] = part.at ?? [100 + index * 300, 200]
    const node = createNode(definition, { nodes: flow.nodes, position: { x, y } }, agentflow)
    const { label = node.data.label, inputs } = part
    const data = { ...node.data, label, inputs: { ...node.data.inputs, ...inputs } }
    flow = { ...flow, nodes: [...flow.nodes, { ...node, data }] }
  }
  for (const [from, to, output = 0] of links) flow = withLink(flow, { from, to, output })
  return flow
}

const inARow = (parts: Part[]): Link[] => parts.slice(1).map((_, index) => [index, index + 1])

function withLink(flow: FlowDocument, { from, to, output }: { from: number; to: number; output: number }) {
  const source = flow.nodes[from]
  const target = flow.nodes[to]
  if (!source || !target) throw new Error(`There is no part ${from} or ${to}`)
  const sourceHandle = source.data.outputAnchors?.[output]?.id
  return connectNodes(flow, { source: source.id, target: target.id, sourceHandle }, agentflow)
}

export const start = (inputs: Part['inputs'] = {}): Part => ({ name: 'startAgentflow', inputs })

/** An LLM that the scripted model server answers. */
export const llm = (baseUrl: string, label = 'LLM', inputs: Part['inputs'] = {}): Part => ({
  name: 'llmAgentflow',
  label,
  inputs: {
    llmModel: 'chatOpenAICustom',
    llmModelConfig: { llmModel: 'chatOpenAICustom', modelName: 'scripted', basepath: baseUrl },
    ...inputs,
  },
})

/** An LLM that needs nothing. */
export const practice = (label = 'Practice'): Part => ({
  name: 'llmAgentflow',
  label,
  inputs: { llmModel: 'practiceModel', llmModelConfig: { llmModel: 'practiceModel' } },
})

export const reply = (message: string, label = 'Reply'): Part => ({
  name: 'directReplyAgentflow',
  label,
  inputs: { directReplyMessage: message },
})

/** Asks a person; its outputs are proceed and reject. */
export const human = (question: string, label = 'Editor'): Part => ({
  name: 'humanInputAgentflow',
  label,
  inputs: { humanInputDescriptionType: 'fixed', humanInputDescription: question },
})

/** A model writes, an editor is asked, and one of two replies follows. */
export const drawApproval = (api: Pick<Api, 'get'>, baseUrl: string): Promise<FlowDocument> =>
  draw(
    api,
    [start(), llm(baseUrl, 'Writer'), human('Print this?'), reply('Printed.', 'Press'), reply('Sent back.', 'Desk')],
    [
      [0, 1],
      [1, 2],
      [2, 3, 0],
      [2, 4, 1],
    ],
  )
