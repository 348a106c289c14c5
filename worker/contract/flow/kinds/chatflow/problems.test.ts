import { describe, expect, it } from 'vitest'
import { connectNodes } from '../../document/connect.ts'
import type { FlowDocument } from '../../document/document.ts'
import { newDocument } from '../../document/draw.ts'
import type { ComponentDefinition } from '../../params/definition.ts'
import { CONDITION_ALERTS } from '../../rules/condition-alerts.ts'
import { problemText } from '../../rules/problem.ts'
import { flowProblems } from '../../rules/problems.ts'
import { structureProblems } from '../../rules/structure.ts'
import { empty, withInputs } from '../../testing/flows.ts'
import { kindOfDocument } from '../index.ts'
import { chatflow } from './kind.ts'
import {
  chain,
  chatModel,
  components,
  condition,
  ifElse,
  readTool,
  reply,
  toolAgent,
  withNodes,
} from './testing/flows.ts'

const model = { ...chatModel, credential: undefined, inputs: [] }
const known = [...components.filter(({ name }) => name !== model.name), model] as ComponentDefinition[]
const texts = (flow: FlowDocument) => flowProblems(flow, known, { kind: chatflow }).map(problemText)
const join = (flow: FlowDocument, source: string, target: string, input: string) => {
  const found = chatflow.ports(flow.nodes.find(({ id }) => id === target) as FlowDocument['nodes'][0]).inputs
  const targetHandle = found.find(({ label }) => label === input)?.id
  return connectNodes(flow, { source, target, targetHandle }, chatflow)
}
const draw = (...definitions: ComponentDefinition[]) => withNodes(empty, ...definitions)

describe('the checklist of a chat flow', () => {
  it('is empty for a model and a chain', () => {
    expect(texts(join(draw(model, chain), 'chatScripted_0', 'llmChain_0', 'Language model'))).toEqual([])
  })

  it('asks for a node that answers', () => {
    expect(texts(draw(model))).toContain(
      'Flow: Nothing answers. Add a chain, an agent or an engine, and connect what it needs',
    )
    expect(texts(draw(model, chain))).toContain(
      'LLM Chain: The flow has no end. Connect what this node needs, and nothing after it',
    )
  })

  it('names each required input that nothing is connected to', () => {
    const flow = join(draw(readTool, toolAgent), 'readFile_0', 'toolAgent_0', 'Tools')
    expect(texts(flow)).toEqual(['Tool Agent: Model is missing. Connect a node that gives BaseChatModel or BaseLLM'])
    expect(structureProblems(flow, chatflow)).toHaveLength(1)
  })

  it('warns about nodes that no answer needs', () => {
    const flow = join(draw(model, chain, readTool), 'chatScripted_0', 'llmChain_0', 'Language model')
    expect(texts(flow)).toEqual([
      'ReadFile: Nothing that answers uses this node, so it will not run. Connect it or delete it',
    ])
    expect(structureProblems(flow, chatflow)).toEqual([])
  })

  it('says which of several endings answers', () => {
    const one = join(draw(model, chain, chain), 'chatScripted_0', 'llmChain_0', 'Language model')
    const two = join(one, 'chatScripted_0', 'llmChain_1', 'Language model')
    expect(
      texts({ ...two, nodes: two.nodes.map((node, at) => ({ ...node, data: { ...node.data, label: `N${at}` } })) }),
    ).toEqual(['N1: A flow has one end, and N2 answers. Connect this node to something or delete it'])
  })

  it('takes both ways of a decision for endings', () => {
    const nodes = draw(ifElse, model, chain, chain)
    const both = ['llmChain_0', 'llmChain_1'].reduce(
      (flow, id) => join(join(flow, 'ifElseFunction_0', id, 'Values'), 'chatScripted_0', id, 'Language model'),
      nodes,
    )
    const named = {
      ...both,
      nodes: both.nodes.map((node, at) => ({ ...node, data: { ...node.data, label: `N${at}` } })),
    }
    expect(texts(named)).toEqual([])
  })

  it.each([
    [{}, CONDITION_ALERTS.empty],
    [{ conditionUI: '[{"variable":"v","output":"A"}]' }, CONDITION_ALERTS.operation],
    [{ conditionUI: '[{"output":"A","operation":"Is"}]' }, CONDITION_ALERTS.variable],
    [{ conditionUI: [{ variable: 'v', operation: 'Is' }] }, CONDITION_ALERTS.output],
    [{ selectedTab_condition_0: 'conditionFunction' }, CONDITION_ALERTS.code],
  ])('says what a condition lacks: %j', (inputs, alert) => {
    expect(texts(withInputs(draw(condition, reply), 'condition_0', inputs))).toContain(`Condition: ${alert}`)
  })
})

describe('kindOfDocument', () => {
  const of = (...categories: string[]) =>
    kindOfDocument({
      nodes: categories.map((category, at) => ({
        id: `n_${at}`,
        type: 'customNode',
        position: { x: 0, y: 0 },
        data: { id: `n_${at}`, name: 'n', label: 'n', category },
      })),
    }).type

  it('tells chat flows and the agent flows of the first generation by their nodes', () => {
    expect(of('Chat Models', 'Chains')).toBe('CHATFLOW')
    expect(of('Chat Models', 'Sequential Agents')).toBe('MULTIAGENT')
    expect(of('Something else')).toBe('CHATFLOW')
    expect(of('Chat Models', 'Agent Flows')).toBe('AGENTFLOW')
  })
})

it('a new chat flow is empty until all of its first nodes are there', () => {
  expect(newDocument(chatflow, [model]).nodes).toEqual([])
  const parts = chatflow.firstNodes.map(({ name }, at) =>
    at === 2
      ? { ...chain, name, outputs: undefined, inputs: chain.inputs.map((input) => ({ ...input, optional: false })) }
      : { ...model, name, baseClasses: [['BaseLanguageModel'], ['BaseMemory']][at] as string[] },
  ) as ComponentDefinition[]
  const { nodes, edges } = newDocument(chatflow, parts)
  expect(nodes).toHaveLength(3)
  expect(edges.map(({ targetHandle }) => targetHandle?.split('-')[2])).toEqual(['model', 'memory'])
})
