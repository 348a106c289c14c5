import { describe, expect, it } from 'vitest'
import type { FlowDocument } from '../document/document.ts'
import { agentflow } from '../kinds/agentflow/kind.ts'
import {
  condition,
  directReply,
  iteration,
  llm,
  loop,
  start,
  withEdges,
  withNodes,
} from '../kinds/agentflow/testing/flows.ts'
import { chatModel } from '../kinds/chatflow/testing/flows.ts'
import { components } from '../testing/components.ts'
import { empty, withInputs, withParent } from '../testing/flows.ts'
import { problemText } from './problem.ts'
import { flowProblems } from './problems.ts'

const texts = (flow: FlowDocument) =>
  flowProblems(flow, components, { kind: agentflow }).map((problem) => `${problem.severity} ${problemText(problem)}`)

const model = { llmModel: chatModel.name, llmModelConfig: { modelName: 'm', FLOWISE_CREDENTIAL_ID: 'c1' } }
const good = withInputs(
  withEdges(withNodes(empty, start, llm), 'startAgentflow_0 > llmAgentflow_0'),
  'llmAgentflow_0',
  model,
)
const llmWith = (inputs: Record<string, unknown>) => texts(withInputs(good, 'llmAgentflow_0', inputs))

/** Options that only some versions support, marked in a definition. */
const withUnsupported = components.map((component) => ({
  ...component,
  inputs: [
    ...component.inputs,
    ...(component.name === llm.name
      ? [
          { label: 'Knowledge', name: 'knowledge', type: 'array', optional: true, unsupported: true },
          {
            label: 'Kind',
            name: 'kind',
            type: 'options',
            optional: true,
            options: [{ label: 'Webhook', name: 'webhook', unsupported: true }],
          },
        ]
      : []),
  ],
}))

it.each([
  [{ knowledge: [] }, []],
  [{ knowledge: [{}] }, ['Knowledge is not supported yet']],
  [{ kind: 'webhook' }, ['Kind Webhook is not supported yet']],
])('reports unsupported values before the run: %j', (inputs, issues) => {
  const flow = withInputs(good, 'llmAgentflow_0', { ...model, ...inputs })
  expect(flowProblems(flow, withUnsupported, { kind: agentflow }).map(({ issue }) => issue)).toEqual(issues)
})

it('names a model without what its label adds in parentheses', () => {
  const named = components.map((each) =>
    each.name === chatModel.name ? { ...each, label: 'Compatible (Ollama, vLLM...)' } : each,
  )
  const flow = withInputs(good, 'llmAgentflow_0', { ...model, llmModelConfig: { modelName: 'm' } })
  expect(flowProblems(flow, named, { kind: agentflow }).map(({ issue }) => issue)).toEqual([
    'Compatible: Credential is required',
  ])
})

describe('flowProblems', () => {
  it('finds no problems in a valid flow', () => expect(texts(good)).toEqual([]))

  it('names node, parameter and severity', () => {
    expect(flowProblems(withInputs(good, 'llmAgentflow_0', { llmModel: '' }), components, { kind: agentflow })).toEqual(
      [{ nodeId: 'llmAgentflow_0', label: 'LLM 0', issue: 'Model is required', param: 'llmModel', severity: 'error' }],
    )
  })

  it.each<[string, Record<string, unknown>, string[]]>([
    ['a model is missing', { llmModel: '' }, ['error LLM 0: Model is required']],
    ['a model is not known', { llmModel: 'chatGone' }, ['error LLM 0: Model chatGone is not available here']],
    [
      'a credential is missing',
      { llmModelConfig: { modelName: 'm' } },
      ['error LLM 0: ChatScripted: Credential is required'],
    ],
    [
      'the model needs more',
      { llmModelConfig: { FLOWISE_CREDENTIAL_ID: 'c' } },
      ['error LLM 0: ChatScripted: Model name is required'],
    ],
    [
      'the config is no object',
      { llmModelConfig: '' },
      ['error LLM 0: ChatScripted: Credential is required', 'error LLM 0: ChatScripted: Model name is required'],
    ],
    [
      'an item is incomplete',
      {
        llmMessages: [
          { role: 'user', content: 'x' },
          { role: 'user', content: '<p></p>' },
        ],
      },
      ['error LLM 0: Messages 2: Content is required'],
    ],
    [
      'a shown item parameter is empty',
      {
        llmStructuredOutput: [
          { key: 'a', type: 'enum' },
          { key: 'b', type: 'string' },
        ],
      },
      ['error LLM 0: JSON structured output 1: Enum values is required'],
    ],
    ['0 is a value', { llmRetries: 0 }, []],
    ['a number is emptied', { llmRetries: '' }, ['error LLM 0: Retries is required']],
    ['a default stands', { llmRetries: undefined }, []],
    [
      'a reference to nothing',
      { llmMessages: [{ role: 'user', content: 'a {{llmAgentflow_7}}' }] },
      ['error LLM 0: {{llmAgentflow_7}} refers to nothing in this flow'],
    ],
    [
      'an unknown word',
      { llmMessages: [{ role: 'user', content: 'a {{name}}' }] },
      ['warning LLM 0: {{name}} refers to nothing in this flow'],
    ],
    [
      'the node itself',
      { llmMessages: [{ role: 'user', content: '{{llmAgentflow_0}}' }] },
      ['warning LLM 0: {{llmAgentflow_0}} refers to LLM 0, which does not run before this node'],
    ],
    [
      'an unknown state key',
      { llmMessages: [{ role: 'user', content: '{{$flow.state.x}}' }] },
      ['warning LLM 0: The flow state has no key x. Add it to the Start node'],
    ],
    [
      'an unknown form field',
      { llmMessages: [{ role: 'user', content: '{{$form.x}}' }] },
      ['warning LLM 0: The start form has no field x'],
    ],
    [
      'good references',
      { llmMessages: [{ role: 'user', content: '{{question}} {{startAgentflow_0}} {{$vars.x}} {{$flow.chatId}}' }] },
      [],
    ],
    [
      'braces in a parameter without variables',
      { llmModelConfig: { ...model.llmModelConfig, code: '{{nothing_0}}' } },
      [],
    ],
  ])('checks references to %s', (_, inputs, expected) => expect(llmWith(inputs)).toEqual(expected))

  it('wants one Start', () => {
    expect(texts({ nodes: [], edges: [] })).toEqual(['error Flow: Add a Start node'])
    const two = withNodes(good, start)
    expect(texts(two)).toContain('error Start: Only one Start node is allowed')
  })

  it('reports unknown node types without checking them further', () => {
    const strange = { ...llm, name: 'strange', label: 'Strange' }
    const flow = withEdges(withNodes(good, strange), 'llmAgentflow_0 > strange_0')
    expect(texts(flow)).toEqual(['error Strange 0: The node type strange is not available here'])
  })

  it('checks visible inputs only', () => {
    expect(texts(withInputs(good, 'startAgentflow_0', { startInputType: 'formInput', formInputTypes: '' }))).toEqual([
      'error Start: Form title is required',
      'error Start: Form input types is required',
    ])
  })

  it('includes the alerts of conditions', () => {
    const flow = withEdges(withNodes(good, condition), 'llmAgentflow_0 > conditionAgentflow_0')
    expect(texts(flow)).toEqual([
      'error Condition 0: Conditions 1: Please specify a Variable. Try connecting Condition node to a previous node and select the variable',
    ])
    expect(texts(withInputs(flow, 'conditionAgentflow_0', { conditions: '' }))).toEqual([
      'error Condition 0: Please add an item for the condition',
    ])
  })

  it('reports nodes that no run reaches', () => {
    const lonely = withInputs(withNodes(good, directReply), 'directReplyAgentflow_0', { directReplyMessage: 'x' })
    expect(texts(lonely)).toEqual(['error Direct Reply 0: This node isn’t connected. Connect it or delete it'])
    const behind = withInputs(withNodes(lonely, llm), 'llmAgentflow_1', model)
    expect(texts(withEdges(behind, 'llmAgentflow_1 > directReplyAgentflow_0'))).toEqual([
      'error LLM 1: This node isn’t connected. Connect it or delete it',
      'warning Direct Reply 0: This node is not connected to the Start node and will not run',
    ])
  })

  it('reaches the first nodes of an iteration', () => {
    let flow = withInputs(withNodes(good, iteration, llm), 'llmAgentflow_1', model)
    flow = withInputs(flow, 'iterationAgentflow_0', { iterationInput: '[1]' })
    flow = withEdges(
      withParent(flow, 'llmAgentflow_1', 'iterationAgentflow_0'),
      'llmAgentflow_0 > iterationAgentflow_0',
    )
    expect(texts(flow)).toEqual([])
  })

  it('reports cycles, orphaned edges, equal labels and missing loop targets', () => {
    const two = withInputs(withNodes(good, llm), 'llmAgentflow_1', model)
    const circle = withEdges(two, 'llmAgentflow_0 > llmAgentflow_1', 'llmAgentflow_1 > llmAgentflow_0')
    expect(texts(circle)).toEqual([
      expect.stringMatching(/^error LLM \d: The connections form a cycle \(LLM \d → LLM \d → LLM \d\)/),
    ])
    const orphan = { ...good, edges: [...good.edges, { id: 'e', source: 'llmAgentflow_0', target: 'gone_0' }] }
    expect(texts(orphan)).toEqual(['error LLM 0: A connection from LLM 0 to gone_0 leads nowhere. Remove it'])
    const same = withEdges(two, 'llmAgentflow_0 > llmAgentflow_1')
    const twins = {
      ...same,
      nodes: same.nodes.map((node) => ({
        ...node,
        data: { ...node.data, label: node.data.label.replace('LLM 1', 'LLM 0') },
      })),
    }
    expect(texts(twins)).toEqual(['warning LLM 0: Another node is also named LLM 0. Rename one of them'])
    const looping = withInputs(
      withEdges(withNodes(good, loop), 'llmAgentflow_0 > loopAgentflow_0'),
      'loopAgentflow_0',
      { loopBackToNode: 'gone_0-Gone' },
    )
    expect(texts(looping)).toEqual(['error Loop 0: The node to loop back to no longer exists. Choose another one'])
  })
})
