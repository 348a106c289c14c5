/** Test helpers: draws chat flows in short notation, and runs them with scripted models. */
import { checkConnection, connectNodes } from '#contract/flow/document/connect.ts'
import { createNode } from '#contract/flow/document/create.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { chatflow } from '#contract/flow/kinds/chatflow/kind.ts'
import { compileChatflow } from '../../../engine/chat-plan.ts'
import { createRun } from '../../../engine/run.ts'
import { requestFor } from '../../../engine/testing/flows.ts'
import type { RunRequest } from '../../../engine/types.ts'
import type { ChatModel } from '../../../models/types.ts'
import { catalogue } from '../../registry.ts'
import type { ChatNodeType, ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'

export type Inputs = Record<string, unknown>

/** A node: its inputs, and the output that is chosen of several. */
export interface ChatNode {
  inputs?: Inputs
  output?: string
}

const scriptedDefinition = {
  label: 'Scripted Model',
  name: 'scripted',
  version: 1,
  type: 'Scripted',
  category: 'Chat Models',
  description: 'Says what a test scripts',
  baseClasses: ['Scripted', 'BaseChatModel', 'BaseLanguageModel', 'Runnable'],
  inputs: [],
}

/**
 * Draws a flow. `nodes` are by id (`llmChain_0`); `links` are `scripted_0 > llmChain_0.model`, or with the output
 * `ifElseFunction_0:returnTrue > promptTemplate_0.promptValues`. Throws where the canvas would refuse.
 */
export function drawChat(
  nodes: Record<string, ChatNode>,
  links: string[],
  own: Pick<ComponentNodeType, 'definition'>[] = [],
): FlowDocument {
  const known = (name: string) =>
    name === 'scripted'
      ? scriptedDefinition
      : (own.find(({ definition }) => definition.name === name) ?? catalogue.node(name) ?? catalogue.component(name))
          ?.definition
  const drawn = Object.entries(nodes).map(([id, { inputs, output }]) => {
    const name = id.replace(/_\d+$/, '')
    const definition = known(name)
    if (!definition) throw new Error(`There is no node ${name}`)
    const node = createNode(definition, { nodes: [], position: { x: 0, y: 0 } }, chatflow)
    const moved = JSON.parse(JSON.stringify(node).replaceAll(`${name}_0`, id)) as typeof node
    return {
      ...moved,
      data: {
        ...moved.data,
        inputs: { ...moved.data.inputs, ...inputs },
        ...(output && { outputs: { output } }),
      },
    }
  })
  return links.reduce<FlowDocument>((flow, link) => linked(flow, link), { nodes: drawn, edges: [] })
}

function linked(flow: FlowDocument, link: string): FlowDocument {
  const [from = '', to = ''] = link.split(' > ')
  const [source = '', output] = from.split(':')
  const [target = '', input = ''] = to.split('.')
  const find = (id: string) => {
    const node = flow.nodes.find((each) => each.id === id)
    if (!node) throw new Error(`There is no node ${id} in this flow`)
    return node
  }
  const outputs = chatflow.ports(find(source)).outputs
  const chosen = output ?? find(source).data.outputs?.output
  const sourceHandle = (outputs.find(({ id }) => chosen && id.includes(`-output-${chosen}-`)) ?? outputs[0])?.id
  const targetHandle = chatflow.ports(find(target)).inputs.find(({ id }) => id.includes(`-input-${input}-`))?.id
  const connection = { source, sourceHandle, target, targetHandle }
  const verdict = checkConnection(flow, connection, chatflow)
  if (!verdict.ok) throw new Error(`${link}: ${verdict.reason}`)
  return connectNodes(flow, connection, chatflow)
}

export interface ChatSetting extends Partial<RunRequest> {
  /** By node id, or one for all: what the scripted models are. */
  models?: Record<string, ChatModel> | ChatModel
  question?: string
  /** Component nodes besides those of the product. */
  own?: ComponentNodeType[]
  /** Nodes that run, besides those of the product. */
  nodes?: ChatNodeType[]
}

/** Runs a flow, and returns its outcome with the events and rows. */
export async function runChat(
  flow: FlowDocument,
  { models, question = 'hello', own = [], nodes = [], ...more }: ChatSetting = {},
) {
  const scripted: ComponentNodeType = {
    definition: scriptedDefinition,
    provide: async ({ node }) => {
      const model =
        models && ('doStream' in models ? (models as ChatModel) : (models as Record<string, ChatModel>)[node.id])
      if (!model) throw new Error(`No model for ${node.id} in this test`)
      return toComponent('model', {
        open: { model, modelName: 'scripted', settings: {} },
        media: { sees: [], hears: [] },
      })
    },
  }
  const components = new Map([scripted, ...own].map((node) => [node.definition.name, node]))
  const request = requestFor(flow, {
    compile: compileChatflow,
    input: { question, text: question, history: [] },
    streaming: true,
    ...more,
  })
  const running = new Map(nodes.map((node) => [node.definition.name, node]))
  const node = (name: string) => running.get(name) ?? catalogue.node(name)
  const types = { ...catalogue, node, component: (name: string) => components.get(name) ?? catalogue.component(name) }
  const outcome = await createRun(types)(request)
  const ran = request.rows.map(({ nodeId }) => nodeId)
  return { ...outcome, ran, rows: request.rows, events: request.events, tokens: tokensOf(request.events) }
}

const tokensOf = (events: { event: string; data: unknown }[]) =>
  events.flatMap(({ event, data }) => (event === 'token' ? [String(data)] : [])).join('')

/** Returns the last step's output. */
export function outputOf({ rows }: Awaited<ReturnType<typeof runChat>>) {
  return rows.at(-1)?.item.data.output ?? {}
}
