import { describe, expect, it } from 'vitest'
import type { FlowDocument } from '../document/document.ts'
import { agentflow } from '../kinds/agentflow/kind.ts'
import { loopBackValue } from '../kinds/agentflow/loop.ts'
import {
  directReply,
  iteration,
  llm,
  loop,
  start,
  stickyNote,
  withEdges,
  withNodes,
} from '../kinds/agentflow/testing/flows.ts'
import { empty, nodeOf, withInputs, withParent } from '../testing/flows.ts'
import { variableSuggestions } from './suggestions.ts'

const ids = (flow: FlowDocument, nodeId: string, more: Partial<Parameters<typeof variableSuggestions>[2]> = {}) =>
  variableSuggestions(flow, nodeId, { kind: agentflow, ...more }).map((suggestion) => suggestion.id)

const chain = withEdges(
  withNodes(empty, start, llm, llm, directReply, stickyNote),
  'startAgentflow_0 > llmAgentflow_0',
  'llmAgentflow_0 > llmAgentflow_1',
  'llmAgentflow_1 > directReplyAgentflow_0',
)

describe('variableSuggestions', () => {
  it('offers the values that every node can use', () => {
    expect(ids(chain, 'startAgentflow_0')).toEqual([
      'question',
      'chat_history',
      'current_date_time',
      'runtime_messages_length',
      'loop_count',
      'file_attachment',
      '$flow.sessionId',
      '$flow.chatId',
      '$flow.chatflowId',
    ])
  })
  it('offers only nodes before this one', () => {
    const offered = ids(chain, 'llmAgentflow_1')
    expect(offered).toEqual(expect.arrayContaining(['startAgentflow_0', 'llmAgentflow_0']))
    expect(offered).not.toEqual(expect.arrayContaining(['llmAgentflow_1']))
    expect(offered).not.toContain('directReplyAgentflow_0')
    expect(offered).not.toContain('stickyNoteAgentflow_0')
    expect(
      variableSuggestions(chain, 'llmAgentflow_1', { kind: agentflow }).find(({ id }) => id === 'llmAgentflow_0'),
    ).toMatchObject({
      label: 'LLM 0',
      category: 'Nodes',
    })
  })
  it('offers nodes that ran in the round before a loop', () => {
    let flow = withEdges(
      withNodes(empty, llm, llm, llm, loop),
      'llmAgentflow_0 > llmAgentflow_1',
      'llmAgentflow_1 > loopAgentflow_0',
      'llmAgentflow_0 > llmAgentflow_2',
    )
    flow = withInputs(flow, 'loopAgentflow_0', { loopBackToNode: loopBackValue(nodeOf(flow, 'llmAgentflow_0')) })
    expect(ids(flow, 'llmAgentflow_0')).toContain('llmAgentflow_1')
    expect(ids(flow, 'llmAgentflow_0')).not.toContain('llmAgentflow_2')
  })
  it('offers state, form fields and variables by name', () => {
    const flow = withInputs(chain, 'startAgentflow_0', {
      startInputType: 'formInput',
      formInputTypes: [{ name: 'city' }, { name: '' }],
      startState: [{ key: 'mood', value: '' }, {}],
    })
    expect(ids(flow, 'llmAgentflow_0', { variables: [{ name: 'region' }] })).toEqual(
      expect.arrayContaining(['$form.city', '$flow.state.mood', '$vars.region']),
    )
    expect(ids(withInputs(flow, 'startAgentflow_0', { startInputType: 'chatInput' }), 'llmAgentflow_0')).not.toContain(
      '$form.city',
    )
  })
  it('offers the declared parts of a webhook', () => {
    const flow = withInputs(chain, 'startAgentflow_0', {
      startInputType: 'webhookTrigger',
      webhookBodyParams: [{ name: 'x' }],
      webhookHeaderParams: [{ name: 'X-Id' }],
    })
    expect(ids(flow, 'llmAgentflow_0')).toEqual(expect.arrayContaining(['$webhook.body.x', '$webhook.headers.x-id']))
  })
  it('offers $iteration first inside an iteration, and the nodes before it', () => {
    let flow = withEdges(withNodes(empty, start, iteration, llm), 'startAgentflow_0 > iterationAgentflow_0')
    flow = withParent(flow, 'llmAgentflow_0', 'iterationAgentflow_0')
    expect(ids(flow, 'llmAgentflow_0')[0]).toBe('$iteration')
    expect(ids(flow, 'llmAgentflow_0')).toContain('startAgentflow_0')
    expect(ids(flow, 'iterationAgentflow_0')).not.toContain('$iteration')
  })
  it('offers the node’s own output where it is allowed, with its structured keys', () => {
    const flow = withInputs(chain, 'llmAgentflow_0', { llmStructuredOutput: [{ key: 'sql', type: 'string' }] })
    const param = { label: 'Value', name: 'value', type: 'string', acceptNodeOutputAsVariable: true }
    expect(ids(flow, 'llmAgentflow_0', { param }).slice(0, 2)).toEqual(['output', 'output.sql'])
    expect(ids(flow, 'llmAgentflow_0')).not.toContain('output')
    expect(ids(flow, 'llmAgentflow_1')).toContain('llmAgentflow_0.output.sql')
  })
})
