import { expect, it } from 'vitest'
import { createNode } from '#contract/flow/document/create.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { bed, worms } from '#contract/flow/kinds/testing/garden/components.ts'
import { garden } from '#contract/flow/kinds/testing/garden/kind.ts'
import { nodeOf } from '#contract/flow/testing/flows.ts'
import { backEdgeLines } from './BackEdgeLines.tsx'

it('draws each labelled back edge of a node below the one before, and none without a target', () => {
  const nodes: FlowDocument['nodes'] = []
  for (const part of [bed, worms]) nodes.push(createNode(part, { nodes, position: { x: 0, y: 0 } }, garden))
  const flow: FlowDocument = { nodes, edges: [] }
  nodeOf(flow, 'worms_0').data.inputs = {
    ways: [
      { target: 'bed_0', label: 'again' },
      { target: 'bed_9', label: 'gone' },
      { target: 'bed_0', label: 'slowly' },
    ],
  }
  const [again, slowly, ...others] = backEdgeLines(flow, garden)
  expect([again?.label, slowly?.label, others]).toEqual(['again', 'slowly', []])
  expect(slowly?.middle.y).toBeGreaterThan(again?.middle.y as number)
})
