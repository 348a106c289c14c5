import { describe, expect, it } from 'vitest'
import type { FlowDocument } from '../../document/document.ts'
import { orphanedEdges } from '../../document/orphans.ts'
import { CONDITION_ALERTS } from '../../rules/condition-alerts.ts'
import { empty, nodeOf, withInputs } from '../../testing/flows.ts'
import { conditionAlerts } from './condition-alerts.ts'
import { addConditionItem, arrangeConditionItems, conditionItems, rebuildConditionOutputs } from './conditions.ts'
import { agentflow } from './kind.ts'
import { condition, conditionAgent, llm, withEdges, withNodes } from './testing/flows.ts'

const ID = 'conditionAgentflow_0'
const item = (value1: string) => ({ type: 'string', value1, operation: 'equal', value2: 'x' })

/** The items without the one at `index`, as the canvas takes it away. */
function removeItem(flow: FlowDocument, id: string, index: number): FlowDocument {
  const order = conditionItems(nodeOf(flow, id)).map((_, at) => at)
  return arrangeConditionItems(flow, id, order.toSpliced(index, 1))
}

/** Three items and Else, each leading to an LLM of its own. */
function threeWays(): FlowDocument {
  let flow = withNodes(empty, condition, llm, llm, llm, llm)
  flow = withInputs(flow, ID, { conditions: [item('a'), item('b'), item('c')] })
  flow = rebuildConditionOutputs(flow, ID)
  return withEdges(flow, ...[0, 1, 2, 3].map((index) => `${ID}:${index} > llmAgentflow_${index}`))
}

/** Which LLM the output of each item leads to, Else last: `a→0`. */
function ways(flow: FlowDocument): string[] {
  const items = [...conditionItems(nodeOf(flow, ID)).map(({ value1 }) => value1), 'else']
  return flow.edges.map((edge) => {
    const index = Number(edge.sourceHandle?.split('-').at(-1))
    expect(edge.data?.edgeLabel).toBe(String(index))
    expect(edge.id).toBe(`${ID}-${edge.sourceHandle}-${edge.target}-${edge.target}`)
    return `${items[index]}→${edge.target.split('_')[1]}`
  })
}

describe('outputs of Condition', () => {
  it('are one for each item, and Else', () => {
    expect(nodeOf(threeWays(), ID).data.outputAnchors).toEqual([
      { id: `${ID}-output-0`, label: 0, name: 0, description: 'Condition 0' },
      { id: `${ID}-output-1`, label: 1, name: 1, description: 'Condition 1' },
      { id: `${ID}-output-2`, label: 2, name: 2, description: 'Condition 2' },
      { id: `${ID}-output-3`, label: 3, name: 3, description: 'Else' },
    ])
  })

  it.each([
    [0, ['b→1', 'c→2', 'else→3']],
    [1, ['a→0', 'c→2', 'else→3']],
    [2, ['a→0', 'b→1', 'else→3']],
  ])('keep their edges when item %i goes', (index, expected) => {
    const flow = removeItem(threeWays(), ID, index)
    expect(ways(flow)).toEqual(expected)
    expect(orphanedEdges(flow, agentflow)).toEqual([])
  })

  it('keep their edges when an item comes', () => {
    const flow = addConditionItem(threeWays(), ID, item('d'))
    expect(ways(flow)).toEqual(['a→0', 'b→1', 'c→2', 'else→3'])
    expect(nodeOf(flow, ID).data.outputAnchors).toHaveLength(5)
  })

  it('keep their edges when items change places', () => {
    expect(ways(arrangeConditionItems(threeWays(), ID, [2, 0, 1])).sort()).toEqual(['a→0', 'b→1', 'c→2', 'else→3'])
  })

  it('lose the edges of items that an edit took from the end', () => {
    const flow = rebuildConditionOutputs(withInputs(threeWays(), ID, { conditions: [item('a')] }), ID)
    expect(ways(flow)).toEqual(['a→0', 'else→3'])
  })

  it('come back on a node that was saved without them, with all edges in place', () => {
    const flow = threeWays()
    const bare = { ...flow, nodes: flow.nodes.map((node) => ({ ...node, data: { ...node.data, outputAnchors: [] } })) }
    const rebuilt = rebuildConditionOutputs(bare, ID)
    expect(ways(rebuilt)).toEqual(['a→0', 'b→1', 'c→2', 'else→3'])
    expect(nodeOf(rebuilt, ID).data.outputAnchors).toEqual(nodeOf(flow, ID).data.outputAnchors)
  })

  it('stay when nothing changed, and on other nodes', () => {
    const flow = threeWays()
    expect(rebuildConditionOutputs(flow, ID)).toEqual(flow)
    expect(rebuildConditionOutputs(flow, 'llmAgentflow_0')).toBe(flow)
  })

  it('have no Else on Condition Agent', () => {
    const id = 'conditionAgentAgentflow_0'
    let flow = rebuildConditionOutputs(withNodes(empty, conditionAgent, llm, llm), id)
    expect(nodeOf(flow, id).data.outputAnchors?.map((anchor) => anchor.description)).toEqual([
      'Condition 0',
      'Condition 1',
    ])
    flow = removeItem(withEdges(flow, `${id}:0 > llmAgentflow_0`, `${id}:1 > llmAgentflow_1`), id, 0)
    expect(flow.edges).toMatchObject([{ sourceHandle: `${id}-output-0`, target: 'llmAgentflow_1' }])
  })
})

describe('alerts', () => {
  const alerts = (conditions: unknown) =>
    conditionAlerts(nodeOf(withInputs(withNodes(empty, condition), ID, { conditions }), ID))
  it.each([
    ['complete', [item('{{question}}')], []],
    ['a number 0', [{ type: 'number', value1: 0, operation: 'equal', value2: 0 }], []],
    ['a boolean', [{ type: 'boolean', value1: false, operation: 'equal', value2: false }], []],
    ['no list', '', [{ alert: CONDITION_ALERTS.empty }]],
    ['an empty list', [], [{ alert: 'Please add an item for the condition' }]],
    [
      'no variable',
      [item('a'), item('<p></p>')],
      [
        {
          alert: 'Please specify a Variable. Try connecting Condition node to a previous node and select the variable',
          index: 1,
        },
      ],
    ],
    [
      'no operation',
      [{ ...item('a'), operation: '' }],
      [{ alert: 'Please select an operation for the condition', index: 0 }],
    ],
  ])('are complete for a condition with %s', (_, conditions, expected) => expect(alerts(conditions)).toEqual(expected))
})
