import { describe, expect, it } from 'vitest'
import { connectNodes } from '../../document/connect.ts'
import type { FlowDocument } from '../../document/document.ts'
import { empty, nodeOf, withInputs } from '../../testing/flows.ts'
import { duplicateNode } from '../../transfer/duplicate.ts'
import { inputReference, withOutputFor } from './connections.ts'
import { chatflow } from './kind.ts'
import { chooseOutput, followCondition } from './outputs.ts'
import { chain, condition, ifElse, reply, withNodes } from './testing/flows.ts'

const outputsOf = (flow: FlowDocument, id: string) =>
  chatflow.ports(nodeOf(flow, id)).outputs.map(({ id: each }) => each)

describe('nodes with several outputs', () => {
  const flow = withNodes(empty, chain, chain)
  const linked = connectNodes(
    chooseOutput(flow, 'llmChain_0', 'outputPrediction'),
    { source: 'llmChain_0', target: 'llmChain_1', targetHandle: 'llmChain_1-input-promptValues-json' },
    chatflow,
  )

  it('have a handle for the chosen output only', () => {
    expect(outputsOf(flow, 'llmChain_0')).toEqual(['llmChain_0-output-llmChain-LLMChain|BaseChain'])
    expect(outputsOf(linked, 'llmChain_0')).toEqual(['llmChain_0-output-outputPrediction-string|json'])
  })

  it('lose the connections of an output when another one is chosen', () => {
    expect(linked.edges).toHaveLength(1)
    expect(chooseOutput(linked, 'llmChain_0', 'llmChain').edges).toEqual([])
    expect(chooseOutput(linked, 'llmChain_0', 'outputPrediction')).toBe(linked)
  })

  it('show every way of a decision', () => {
    const { nodes } = withNodes(empty, ifElse)
    expect(chatflow.ports(nodes[0] as (typeof nodes)[0]).outputs.map(({ label }) => label)).toEqual(['True', 'False'])
  })

  it('give what the input takes that they are added from', () => {
    const node = nodeOf(flow, 'llmChain_0')
    const chosenFor = (...types: string[]) => {
      return withOutputFor(node, { id: 'x', label: 'x', types, many: false }).data.outputs?.output
    }
    expect(chosenFor('json')).toBe('outputPrediction')
    expect(chosenFor('BaseChain')).toBe('llmChain')
    expect(chosenFor('Tool')).toBe('llmChain')
  })
})

it('inputs that hold text have a handle unless they are additional', () => {
  const { nodes } = withNodes(empty, chain)
  expect(chatflow.ports(nodes[0] as (typeof nodes)[0]).inputs.map(({ label }) => label)).toEqual([
    'Language model',
    'Memory',
    'Values',
  ])
})

describe('condition nodes', () => {
  const rows = (...outputs: string[]) => ({
    conditionUI: JSON.stringify(outputs.map((output) => ({ variable: 'v', operation: 'Is', value: 'x', output }))),
  })
  const at = (flow: FlowDocument, inputs: Record<string, unknown>) =>
    followCondition(withInputs(flow, 'condition_0', inputs), 'condition_0', Object.keys(inputs)[0] as string)
  const drawn = at(withNodes(empty, condition, reply, reply), rows('Refund', 'Question'))
  const link = (output: string, target: string) => ({
    source: 'condition_0',
    sourceHandle: `condition_0-output-${output}-Condition`,
    target,
    targetHandle: `${target}-input-from-Condition`,
  })
  const linked = connectNodes(
    connectNodes(drawn, link('refund', 'reply_0'), chatflow),
    link('end', 'reply_1'),
    chatflow,
  )

  it('have an output for each row and for the end', () => {
    expect(outputsOf(drawn, 'condition_0')).toEqual([
      'condition_0-output-refund-Condition',
      'condition_0-output-question-Condition',
      'condition_0-output-end-Condition',
    ])
  })

  it('lose the edges whose output is gone, and their targets the reference', () => {
    const edited = at(linked, rows('Question'))
    expect(edited.edges.map(({ target }) => target)).toEqual(['reply_1'])
    expect(nodeOf(edited, 'reply_0').data.inputs?.from).toBe('')
    expect(nodeOf(edited, 'reply_1').data.inputs?.from).toBe(inputReference('condition_0'))
  })

  it('keep their outputs while a row is not complete', () => {
    expect(at(linked, { conditionUI: '[{"variable":"v"}]' }).edges).toHaveLength(2)
  })

  it('follow the code while its tab is open', () => {
    const code = withInputs(linked, 'condition_0', { conditionFunction: 'return "Refund"' })
    const edited = at(code, { selectedTab_condition_0: 'conditionFunction' })
    expect(outputsOf(edited, 'condition_0')).toEqual(['condition_0-output-refund-Condition'])
    expect(edited.edges.map(({ target }) => target)).toEqual(['reply_0'])
  })

  it('keep the open tab in a copy', () => {
    const copy = duplicateNode(
      withInputs(drawn, 'condition_0', { selectedTab_condition_0: 'conditionFunction' }),
      'condition_0',
      chatflow,
    )
    expect(copy.ok && nodeOf(copy.flow, 'condition_1').data).toMatchObject({
      label: 'Condition (1)',
      inputs: { selectedTab_condition_1: 'conditionFunction' },
    })
  })
})
