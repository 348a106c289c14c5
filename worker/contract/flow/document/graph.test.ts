import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agentflow } from '../kinds/agentflow/kind.ts'
import { llm, start, withNodes } from '../kinds/agentflow/testing/flows.ts'
import { flowProblems } from '../rules/problems.ts'
import { components } from '../testing/components.ts'
import { empty } from '../testing/flows.ts'
import { checkConnection } from './connect.ts'
import type { FlowDocument } from './document.ts'
import { downstreamOf, findCycle, graphOf, incomers, outgoers, topologicalOrder, upstreamOf } from './graph.ts'
import { orphanedEdges } from './orphans.ts'

const flowOf = (pairs: readonly (readonly [string, string])[]): FlowDocument => {
  const ids = [...new Set(pairs.flat())]
  return {
    nodes: ids.map((id) => ({ id, type: 'agentFlow', position: { x: 0, y: 0 }, data: { id, name: 'x', label: id } })),
    edges: pairs.map(([source, target], index) => ({ id: `e${index}`, source, target })),
  }
}

describe('graph', () => {
  const graph = graphOf(
    flowOf([
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'd'],
      ['c', 'd'],
      ['b', 'd'],
    ]),
  )
  it('finds neighbors, each once', () => {
    expect(outgoers(graph, 'a')).toEqual(['b', 'c'])
    expect(incomers(graph, 'd')).toEqual(['b', 'c'])
    expect(outgoers(graph, 'd')).toEqual([])
  })
  it('finds the nodes before and after a node', () => {
    expect([...downstreamOf(graph, 'a')].sort()).toEqual(['b', 'c', 'd'])
    expect([...upstreamOf(graph, 'd')].sort()).toEqual(['a', 'b', 'c'])
  })
  it('finds an existing cycle', () => {
    expect(findCycle(graph)).toBeUndefined()
    expect(
      findCycle(
        graphOf(
          flowOf([
            ['x', 'a'],
            ['a', 'b'],
            ['b', 'c'],
            ['c', 'a'],
            ['c', 'y'],
          ]),
        ),
      )?.toSorted(),
    ).toEqual(['a', 'b', 'c'])
    expect(findCycle(graphOf(flowOf([['a', 'a']])))).toEqual(['a'])
  })
  it('ignores edges to missing nodes', () => {
    const { nodes } = flowOf([['a', 'b']])
    expect(
      topologicalOrder(
        graphOf({
          nodes,
          edges: [
            { id: 'e', source: 'gone', target: 'b' },
            { id: 'f', source: 'a', target: 'gone' },
          ],
        }),
      ),
    ).toEqual({ order: ['a', 'b'], rest: [] })
  })
})

it('orders every node after its predecessors, or leaves a cycle', () => {
  const pair = fc.tuple(fc.nat(9), fc.nat(9))
  fc.assert(
    fc.property(fc.array(pair, { minLength: 1, maxLength: 25 }), (pairs) => {
      const flow = flowOf(pairs.map(([a, b]) => [`n${a}`, `n${b}`] as const))
      const graph = graphOf(flow)
      const { order, rest } = topologicalOrder(graph)
      const at = new Map(order.map((id, index) => [id, index]))
      for (const { source, target } of flow.edges) {
        if (at.has(target)) expect(at.get(source)).toBeLessThan(at.get(target) as number)
      }
      expect(order.length + rest.length).toBe(flow.nodes.length)
      const cycle = findCycle(graph)
      expect(cycle === undefined).toBe(rest.length === 0)
      for (const [index, id] of (cycle ?? []).entries()) {
        expect(outgoers(graph, id)).toContain(cycle?.[(index + 1) % cycle.length])
      }
    }),
  )
})

/** A chain of LLM nodes, each referring to the previous one. Every read of an edge's end is counted. */
function countedChain(length: number): { flow: FlowDocument; reads: () => number } {
  const { nodes } = withNodes(empty, start, ...Array.from({ length }, () => llm))
  let count = 0
  const read = (id: string) => {
    count += 1
    return id
  }
  const edges = nodes.slice(1).map((node, index) => {
    const source = nodes[index]?.id as string
    const end = (id: string) => ({ enumerable: true, get: () => read(id) })
    const rest = { id: `e${index}`, sourceHandle: nodes[index]?.data.outputAnchors?.[0]?.id, targetHandle: node.id }
    return Object.defineProperties(rest, { source: end(source), target: end(node.id) }) as typeof rest & {
      source: string
      target: string
    }
  })
  const reading = nodes.map((node, index) => ({
    ...node,
    data: {
      ...node.data,
      inputs: {
        ...node.data.inputs,
        llmMessages: [{ role: 'user', content: `{{${nodes[index - 1]?.id ?? 'question'}}}` }],
      },
    },
  }))
  return { flow: { nodes: reading, edges }, reads: () => count }
}

it.each<[string, (flow: FlowDocument) => unknown]>([
  ['order', (flow) => topologicalOrder(graphOf(flow))],
  ['connections', (flow) => checkConnection(flow, { source: 'llmAgentflow_3', target: 'llmAgentflow_0' }, agentflow)],
  ['orphans', (flow) => orphanedEdges(flow, agentflow)],
  ['the checklist', (flow) => flowProblems(flow, components, { kind: agentflow })],
])('reads grow linearly with the nodes: %s', (_, work) => {
  const cost = (length: number) => {
    const { flow, reads } = countedChain(length)
    const before = reads()
    work(flow)
    return reads() - before
  }
  expect(cost(1000)).toBeLessThanOrEqual(cost(100) * 10.5 + 20)
})
