import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { agentflow } from '../kinds/agentflow/kind.ts'
import {
  condition,
  directReply,
  humanInput,
  llm,
  loop,
  start,
  stickyNote,
  withNodes,
} from '../kinds/agentflow/testing/flows.ts'
import { empty } from '../testing/flows.ts'
import { checkConnection, connectNodes } from './connect.ts'
import type { FlowDocument } from './document.ts'
import { findCycle, graphOf } from './graph.ts'

const agentFlow = withNodes(empty, start, llm, llm, condition, loop, directReply, stickyNote, humanInput)

it('never allows a cycle', () => {
  const ids = agentFlow.nodes.map((node) => node.id)
  const end = fc.constantFrom(...ids)
  fc.assert(
    fc.property(fc.array(fc.record({ source: end, target: end }), { maxLength: 40 }), (wanted) => {
      const flow = wanted.reduce<FlowDocument>(
        (so, one) => (checkConnection(so, one, agentflow).ok ? connectNodes(so, one, agentflow) : so),
        agentFlow,
      )
      expect(findCycle(graphOf(flow))).toBeUndefined()
    }),
  )
})
