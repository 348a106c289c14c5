import { expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { flowOf, iteration, llm, reply, start } from '../kinds/agentflow/testing/flows.ts'
import { separateOverlaps } from './separate-overlaps.ts'

const placesOf = ({ nodes }: FlowDocument) => Object.fromEntries(nodes.map(({ id, position }) => [id, position]))

function at(flow: FlowDocument, places: Record<string, [x: number, y: number]>, parents: Record<string, string> = {}) {
  const nodes = flow.nodes.map((node) => {
    const [x, y] = places[node.id] ?? [0, 0]
    return { ...node, position: { x, y }, ...(parents[node.id] ? { parentNode: parents[node.id] } : {}) }
  })
  return { ...flow, nodes } as FlowDocument
}

const removed = (...ids: string[]) => new Map(ids.map((id) => [id, 'removed'] as const))

it('removed nodes stay where they were if nothing lies there now', () => {
  const flow = at(flowOf(start, llm), { startAgentflow_0: [0, 0], llmAgentflow_0: [400, 0] })
  expect(separateOverlaps(flow, removed('llmAgentflow_0'))).toBe(flow)
})

it('moves all of them below the others as soon as one is covered', () => {
  const flow = at(flowOf(start, llm, reply), {
    startAgentflow_0: [0, 100],
    llmAgentflow_0: [10, 110],
    directReplyAgentflow_0: [500, 60],
  })
  const places = placesOf(separateOverlaps(flow, removed('llmAgentflow_0', 'directReplyAgentflow_0')))
  expect(places.startAgentflow_0).toEqual({ x: 0, y: 100 })
  expect(places.directReplyAgentflow_0?.x).toBe(500)
  expect(places.directReplyAgentflow_0?.y).toBeGreaterThan(150)
  expect((places.llmAgentflow_0?.y ?? 0) - (places.directReplyAgentflow_0?.y ?? 0)).toBe(50)
})

it('takes what lies in a removed container along', () => {
  const places = { startAgentflow_0: [0, 0], iterationAgentflow_0: [0, 0], llmAgentflow_0: [20, 60] } as const
  const flow = at(flowOf(start, iteration, llm), { ...places } as never, { llmAgentflow_0: 'iterationAgentflow_0' })
  const moved = placesOf(separateOverlaps(flow, removed('iterationAgentflow_0', 'llmAgentflow_0')))
  expect(moved.iterationAgentflow_0?.y).toBeGreaterThan(0)
  expect(moved.llmAgentflow_0).toEqual({ x: 20, y: 60 })
})
