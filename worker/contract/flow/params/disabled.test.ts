import { describe, expect, it } from 'vitest'
import { parseFlow } from '../document/parse.ts'
import { exportFlow, serializeFlow } from '../document/serialize.ts'
import { agentflow } from '../kinds/agentflow/kind.ts'
import { iteration, llm, nodeTypes, start, stickyNote, withEdges, withNodes } from '../kinds/agentflow/testing/flows.ts'
import { flowProblems } from '../rules/problems.ts'
import { empty } from '../testing/flows.ts'
import { isDisabled, setDisabled } from './disabled.ts'

const [START, LLM, NOTE, ITERATION] = [start, llm, stickyNote, iteration].map(({ name }) => `${name}_0`) as [
  string,
  string,
  string,
  string,
]
const drawn = withEdges(withNodes(empty, start, llm, stickyNote, iteration), `${START} > ${LLM}`)
const disable = (...ids: string[]) => setDisabled(drawn, ids, { disabled: true, kind: agentflow })
const disabledIn = (flow: typeof drawn) => flow.nodes.flatMap(({ id, data }) => (isDisabled(data) ? [id] : []))

describe('disabled nodes', () => {
  it('are steps and containers, never Start or a note', () => {
    expect(disabledIn(disable(LLM, ITERATION))).toEqual([LLM, ITERATION])
    expect(disable(START, NOTE)).toBe(drawn)
  })

  it('leave no mark when they are enabled again', () => {
    expect(setDisabled(disable(LLM), [LLM], { disabled: false, kind: agentflow })).toEqual(drawn)
  })

  it('stay disabled in stored and exported files', () => {
    const stored = parseFlow(JSON.stringify(serializeFlow(disable(LLM))))
    expect(stored.ok && disabledIn(stored.flow)).toEqual([LLM])
    const exported = parseFlow(JSON.stringify(exportFlow(disable(LLM), nodeTypes)))
    expect(exported.ok && disabledIn(exported.flow)).toEqual([LLM])
  })

  it('need no inputs', () => {
    const missing = (flow: typeof drawn) =>
      flowProblems(flow, nodeTypes, { kind: agentflow }).filter(({ nodeId, param }) => nodeId === LLM && param)
    expect(missing(drawn)).toHaveLength(1)
    expect(missing(disable(LLM))).toEqual([])
  })
})
