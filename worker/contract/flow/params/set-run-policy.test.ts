import { describe, expect, it } from 'vitest'
import { checkConnection, connectNodes } from '../document/connect.ts'
import type { FlowDocument } from '../document/document.ts'
import { orphanedEdges } from '../document/orphans.ts'
import { addConditionItem, arrangeConditionItems } from '../kinds/agentflow/conditions.ts'
import { agentflow } from '../kinds/agentflow/kind.ts'
import { condition, directReply, llm, start, withEdges, withNodes } from '../kinds/agentflow/testing/flows.ts'
import { empty, nodeOf } from '../testing/flows.ts'
import { duplicateNode } from '../transfer/duplicate.ts'
import { defaultPolicy, errorHandleId, type RunPolicy, runPolicyOf } from './run-policy.ts'
import { setRunPolicy } from './set-run-policy.ts'

const LLM = 'llmAgentflow_0'
const REPLY = 'directReplyAgentflow_0'
const flow = withEdges(
  withNodes(empty, start, llm, directReply, condition),
  `startAgentflow_0 > ${LLM}`,
  `${LLM} > ${REPLY}`,
)
const failed = (source: string, target: string) => ({ source, target, sourceHandle: errorHandleId(source) })
const branching = (so: FlowDocument, id: string) =>
  setRunPolicy(so, id, { change: { onError: 'branch' }, kind: agentflow })

describe('setRunPolicy', () => {
  it.each<[Partial<RunPolicy>, unknown]>([
    [{}, undefined],
    [{ retries: 2 }, { retries: 2 }],
    [{ retries: 0, join: 'all' }, undefined],
    [
      { join: 'any', timeoutSeconds: 30 },
      { join: 'any', timeoutSeconds: 30 },
    ],
    [defaultPolicy, undefined],
  ])('%j keeps what is not the default', (change, kept) => {
    const { data } = nodeOf(setRunPolicy(flow, LLM, { change, kind: agentflow }), LLM)
    expect(data.runPolicy).toEqual(kept)
    expect('runPolicy' in data).toBe(kept !== undefined)
    expect(runPolicyOf(data)).toEqual({ ...defaultPolicy, ...change })
  })

  it('leaves the document as it was when everything is set back', () => {
    const there = setRunPolicy(branching(flow, LLM), LLM, {
      change: { retries: 3, timeoutSeconds: 5 },
      kind: agentflow,
    })
    const back = setRunPolicy(there, LLM, {
      change: { onError: 'stop', retries: 0, timeoutSeconds: null },
      kind: agentflow,
    })
    expect(JSON.stringify(back)).toBe(JSON.stringify(flow))
  })

  it('keeps what was set before', () => {
    const twice = setRunPolicy(setRunPolicy(flow, LLM, { change: { retries: 2 }, kind: agentflow }), LLM, {
      change: { join: 'any' },
      kind: agentflow,
    })
    expect(nodeOf(twice, LLM).data.runPolicy).toEqual({ join: 'any', retries: 2 })
  })

  it('takes the edges of an error branch away with it, and no others', () => {
    const connected = connectNodes(branching(flow, LLM), failed(LLM, REPLY), agentflow)
    expect(connected.edges).toHaveLength(3)
    expect(setRunPolicy(connected, LLM, { change: { retries: 1 }, kind: agentflow }).edges).toHaveLength(3)
    expect(setRunPolicy(connected, LLM, { change: { onError: 'stop' }, kind: agentflow }).edges).toEqual(flow.edges)
  })
})

describe('an error branch', () => {
  it('can be connected once it is there', () => {
    expect(checkConnection(flow, failed(LLM, REPLY), agentflow)).toEqual({
      ok: false,
      reason: 'LLM 0 stops the run when it fails: it has no error output.',
    })
    const ready = branching(flow, LLM)
    expect(checkConnection(ready, failed(LLM, REPLY), agentflow).ok).toBe(true)
    expect(checkConnection(connectNodes(ready, failed(LLM, REPLY), agentflow), failed(LLM, REPLY), agentflow).ok).toBe(
      false,
    )
    expect(
      checkConnection(ready, { ...failed(LLM, REPLY), sourceHandle: errorHandleId('other_0') }, agentflow).ok,
    ).toBe(false)
  })

  it('is an output of nodes that have no other', () => {
    expect(checkConnection(branching(flow, REPLY), failed(REPLY, 'conditionAgentflow_0'), agentflow).ok).toBe(true)
  })

  it('gives its edges a label', () => {
    const edge = connectNodes(branching(flow, LLM), failed(LLM, REPLY), agentflow).edges.at(-1)
    expect(edge).toMatchObject({ sourceHandle: `${LLM}-output-error`, data: { edgeLabel: 'error' } })
  })

  it('holds its edges for as long as it is there', () => {
    const connected = connectNodes(branching(flow, LLM), failed(LLM, REPLY), agentflow)
    expect(orphanedEdges(connected, agentflow)).toEqual([])
    expect(orphanedEdges({ ...connected, nodes: flow.nodes }, agentflow)).toEqual([connected.edges.at(-1)])
  })

  it('goes with its node into a copy, without its edges to others', () => {
    const copied = duplicateNode(connectNodes(branching(flow, LLM), failed(LLM, REPLY), agentflow), LLM, agentflow)
    if (!copied.ok) throw new Error(copied.reason)
    expect(nodeOf(copied.flow, copied.nodeId).data.runPolicy).toEqual({ onError: 'branch' })
    expect(orphanedEdges(copied.flow, agentflow)).toEqual([])
  })

  it('of a condition stays when its items change', () => {
    const id = 'conditionAgentflow_0'
    const connected = connectNodes(branching(flow, id), failed(id, REPLY), agentflow)
    const more = addConditionItem(connected, id, { type: 'string', value1: 'a', operation: 'equal' })
    expect(more.edges).toEqual(connected.edges)
    expect(arrangeConditionItems(more, id, []).edges).toEqual(connected.edges)
  })
})
