import { describe, expect, it } from 'vitest'
import type { TraceItem } from '#contract/events.ts'
import { formatCost, formatDuration, traceTree } from './tree.ts'

const item = (nodeId: string, data: Record<string, unknown> = {}): TraceItem => ({
  nodeId,
  nodeLabel: nodeId,
  previousNodeIds: [],
  status: 'FINISHED',
  data: { id: nodeId, name: nodeId, ...data },
})

describe('traceTree', () => {
  it('keeps the order of a flat trace', () => {
    expect(traceTree([item('a'), item('b')]).map((node) => node.item.nodeId)).toEqual(['a', 'b'])
  })

  it('puts children below the iteration that follows them, by round', () => {
    const child = (id: string, round: number) => item(id, { parentNodeId: 'loop', iterationIndex: round })
    const tree = traceTree([item('start'), child('x', 0), child('y', 0), child('x', 1), item('loop')])
    expect(tree.map((node) => node.item.nodeId)).toEqual(['start', 'loop'])
    expect(tree[1]?.children.map(({ round, nodes }) => [round, nodes.map((node) => node.index)])).toEqual([
      [0, [1, 2]],
      [1, [3]],
    ])
  })

  it('shows a child whose parent never finished at the top', () => {
    expect(traceTree([item('x', { parentNodeId: 'loop' })])).toHaveLength(1)
  })
})

it.each([
  [12.4, '12 ms'],
  [2_400, '2.4 s'],
  [185_000, '3 min 05 s'],
])('%d ms reads %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

it.each([
  [0, 'free'],
  [0.00001, '< $0.0001'],
  [0.0012, '$0.0012'],
  [1.25, '$1.25'],
])('%d dollars read %s', (dollars, text) => expect(formatCost(dollars)).toBe(text))
