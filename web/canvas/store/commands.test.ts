import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readStartTrigger } from '#contract/triggers/start.ts'
import { agentflowKind } from '../kinds/agentflow/index.ts'
import { condition, definitions, flowOf, iteration, llm, note, reply, start } from '../kinds/agentflow/testing/flows.ts'
import {
  connect,
  duplicateSelection,
  moveNodes,
  nudgeSelection,
  removeEdgesById,
  removeSelection,
  rename,
  setCredential,
  setInputs,
} from './commands.ts'
import { addNodeAt } from './insertions.ts'
import { createCanvas, endGesture, isDirty, markSaved, redo, select, undo } from './store.ts'

const open = (...parts: typeof definitions) => createCanvas(flowOf(...parts), definitions, agentflowKind)
const ids = (canvas: ReturnType<typeof open>) => canvas.state.flow.nodes.map((node) => node.id)
const lastName = (canvas: ReturnType<typeof open>) => canvas.state.history.past.at(-1)?.name

/** Any command on any canvas: picks what it works on by index. */
const command = fc.oneof(
  fc.record({ do: fc.constant('add'), n: fc.nat(20), x: fc.integer({ min: -900, max: 900 }) }),
  fc.record({ do: fc.constant('connect'), n: fc.nat(20), x: fc.nat(20) }),
  fc.record({
    do: fc.constantFrom('remove', 'duplicate', 'nudge', 'rename', 'input', 'item', 'seal'),
    n: fc.nat(20),
    x: fc.nat(20),
  }),
  fc.record({ do: fc.constantFrom('undo', 'redo', 'group'), n: fc.nat(20), x: fc.nat(20) }),
)

function carryOut(canvas: ReturnType<typeof open>, { do: what, n, x }: { do: string; n: number; x: number }): void {
  const { nodes } = canvas.state.flow
  const pick = nodes.length > 0 ? nodes[n % nodes.length] : undefined
  const other = nodes.length > 0 ? nodes[x % nodes.length] : undefined
  if (what === 'add') addNodeAt(canvas, definitions[n % definitions.length] as typeof llm, { at: { x, y: n } })
  if (what === 'undo') undo(canvas)
  if (what === 'redo') redo(canvas)
  if (what === 'seal') endGesture(canvas)
  if (!pick || !other) return
  if (what === 'connect') {
    const output = pick.data.outputAnchors?.[x % Math.max(1, pick.data.outputAnchors.length)]?.id
    connect(canvas, { source: pick.id, sourceHandle: output ?? null, target: other.id })
  }
  if (what === 'group') select(canvas, { nodes: [...new Set([pick.id, other.id])] })
  else if (['remove', 'duplicate', 'nudge'].includes(what)) select(canvas, { nodes: [pick.id] })
  if (what === 'remove') removeSelection(canvas)
  if (what === 'duplicate') duplicateSelection(canvas)
  if (what === 'nudge') nudgeSelection(canvas, { x, y: n })
  if (what === 'rename') rename(canvas, pick.id, `Label ${x}`)
  if (what === 'input') setInputs(canvas, pick.id, { patch: { llmUserMessage: `text ${x}` } })
  if (what === 'item') {
    const added = { type: 'string', value1: String(x) }
    setInputs(canvas, pick.id, { patch: { conditions: [added] }, move: { added } })
  }
}

describe('undo and redo', () => {
  it('undoing everything gives back the same document, redoing everything the last one', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        const canvas = open(start, llm, condition, reply)
        const before = canvas.state.flow
        const unchanged = JSON.stringify(before)
        for (const each of commands) carryOut(canvas, each)
        while (canvas.state.history.future.length > 0) redo(canvas)
        const after = canvas.state.flow
        while (canvas.state.history.past.length > 0) undo(canvas)
        expect(canvas.state.flow).toBe(before)
        expect(JSON.stringify(before)).toBe(unchanged)
        while (canvas.state.history.future.length > 0) redo(canvas)
        expect(canvas.state.flow).toBe(after)
      }),
      { numRuns: 150 },
    )
  })

  it('names what it takes back', () => {
    const canvas = open(start, llm, reply)
    connect(canvas, { source: 'llmAgentflow_0', target: 'directReplyAgentflow_0' })
    expect(lastName(canvas)).toBe('connect LLM 0 to Direct Reply 0')
    undo(canvas)
    expect(canvas.state.announcement.text).toBe('Undid: connect LLM 0 to Direct Reply 0')
    expect(canvas.state.flow.edges).toEqual([])
  })

  it('takes a drag back as one, and the next drag apart from it', () => {
    const canvas = open(start, llm)
    const drag = (x: number) => moveNodes(canvas, new Map([['llmAgentflow_0', { x, y: 0 }]]))
    for (const x of [310, 320, 330]) drag(x)
    endGesture(canvas)
    for (const x of [340, 350]) drag(x)
    undo(canvas)
    expect(canvas.state.flow.nodes[1]?.position.x).toBe(330)
    undo(canvas)
    expect(canvas.state.flow.nodes[1]?.position.x).toBe(300)
  })

  it('takes the typing in one field back as one, not together with another field', () => {
    const canvas = open(llm)
    for (const label of ['L', 'LL', 'LLM!']) rename(canvas, 'llmAgentflow_0', label)
    for (const text of ['a', 'ab']) setInputs(canvas, 'llmAgentflow_0', { patch: { llmUserMessage: text } })
    undo(canvas)
    expect(canvas.state.flow.nodes[0]?.data).toMatchObject({ label: 'LLM!', inputs: { llmUserMessage: '' } })
    undo(canvas)
    expect(canvas.state.flow.nodes[0]?.data.label).toBe('LLM 0')
  })

  it('an undone change is forgotten by the next one', () => {
    const canvas = open(llm)
    rename(canvas, 'llmAgentflow_0', 'One')
    undo(canvas)
    rename(canvas, 'llmAgentflow_0', 'Two')
    redo(canvas)
    expect(canvas.state.flow.nodes[0]?.data.label).toBe('Two')
  })
})

describe('dirty', () => {
  it('rises with a change, falls with a save and with undo back to what was saved', () => {
    const canvas = open(start, llm)
    expect(isDirty(canvas.state)).toBe(false)
    rename(canvas, 'llmAgentflow_0', 'One')
    expect(isDirty(canvas.state)).toBe(true)
    markSaved(canvas, canvas.state.flow)
    expect(isDirty(canvas.state)).toBe(false)
    endGesture(canvas)
    rename(canvas, 'llmAgentflow_0', 'Two')
    undo(canvas)
    expect(isDirty(canvas.state)).toBe(false)
    undo(canvas)
    expect(isDirty(canvas.state)).toBe(true)
  })

  it('a change that changes nothing is none', () => {
    const canvas = open(start, llm)
    moveNodes(canvas, new Map([['llmAgentflow_0', { x: 300, y: 0 }]]))
    select(canvas, { nodes: ['llmAgentflow_0'] })
    expect(isDirty(canvas.state)).toBe(false)
    expect(canvas.state.history.past).toEqual([])
  })
})

describe('nodes', () => {
  it('adds with its middle at the place, into the iteration that is there', () => {
    const canvas = open(iteration)
    addNodeAt(canvas, llm, { at: { x: 150, y: 125 } })
    expect(canvas.state.flow.nodes[1]).toMatchObject({ parentNode: 'iterationAgentflow_0', position: { x: 50, y: 92 } })
    expect(canvas.state.selection.nodes).toEqual(['llmAgentflow_0'])
    addNodeAt(canvas, llm, { at: { x: 900, y: 0 } })
    expect(canvas.state.flow.nodes[2]).not.toHaveProperty('parentNode')
  })

  it('refuses a second Start and an iteration inside an iteration, with the reason', () => {
    const canvas = open(start, iteration)
    expect(addNodeAt(canvas, start, { at: { x: 0, y: 300 } })).toEqual({
      ok: false,
      reason: 'Only one Start node is allowed.',
    })
    expect(addNodeAt(canvas, iteration, { at: { x: 450, y: 125 } }).ok).toBe(false)
    expect(ids(canvas)).toHaveLength(2)
  })

  it('deletes the selection with its edges and selects nothing afterwards', () => {
    const canvas = open(start, llm, reply)
    connect(canvas, { source: 'startAgentflow_0', target: 'llmAgentflow_0' })
    connect(canvas, { source: 'llmAgentflow_0', target: 'directReplyAgentflow_0' })
    select(canvas, { nodes: ['llmAgentflow_0'] })
    removeSelection(canvas)
    expect(ids(canvas)).toEqual(['startAgentflow_0', 'directReplyAgentflow_0'])
    expect(canvas.state.flow.edges).toEqual([])
    expect(canvas.state.selection.nodes).toEqual([])
  })

  it('deletes a selected connection alone', () => {
    const canvas = open(start, llm)
    connect(canvas, { source: 'startAgentflow_0', target: 'llmAgentflow_0' })
    removeEdgesById(canvas, [canvas.state.flow.edges[0]?.id as string])
    expect(ids(canvas)).toHaveLength(2)
    expect(canvas.state.flow.edges).toEqual([])
  })

  it('duplicates several with the connections between them', () => {
    const canvas = open(start, llm, reply)
    connect(canvas, { source: 'llmAgentflow_0', target: 'directReplyAgentflow_0' })
    select(canvas, { nodes: ['llmAgentflow_0', 'directReplyAgentflow_0'] })
    expect(duplicateSelection(canvas)).toEqual({ ok: true })
    expect(canvas.state.selection.nodes).toEqual(['llmAgentflow_1', 'directReplyAgentflow_1'])
    expect(canvas.state.flow.edges.at(-1)).toMatchObject({ source: 'llmAgentflow_1', target: 'directReplyAgentflow_1' })
    expect(canvas.state.flow.nodes.at(-2)?.position).toEqual({ x: 350, y: 50 })
  })

  it('says why a node cannot be duplicated', () => {
    const canvas = open(start)
    expect(duplicateSelection(canvas)).toMatchObject({ ok: false })
    select(canvas, { nodes: ['startAgentflow_0'] })
    expect(duplicateSelection(canvas)).toMatchObject({ ok: false, reason: 'Only one Start node is allowed.' })
  })

  it('refuses a connection that makes a cycle and changes nothing', () => {
    const canvas = open(llm, llm)
    connect(canvas, { source: 'llmAgentflow_0', target: 'llmAgentflow_1' })
    const { flow } = canvas.state
    expect(connect(canvas, { source: 'llmAgentflow_1', target: 'llmAgentflow_0' })).toMatchObject({ ok: false })
    expect(canvas.state.flow).toBe(flow)
  })
})

describe('inputs', () => {
  it('an input that becomes hidden loses its value', () => {
    const canvas = open(llm)
    setInputs(canvas, 'llmAgentflow_0', { patch: { llmMemoryType: 'windowSize' } })
    setInputs(canvas, 'llmAgentflow_0', { patch: { llmEnableMemory: false } })
    expect(canvas.state.flow.nodes[0]?.data.inputs).not.toHaveProperty('llmMemoryType')
  })

  it('a Start node that becomes a webhook proposes a signature, and one that is a webhook keeps what it has', () => {
    const canvas = open(start)
    const choose = (patch: Record<string, unknown>) => setInputs(canvas, 'startAgentflow_0', { patch })
    const signature = () => {
      const { settings } = readStartTrigger(canvas.state.flow) as { settings?: { signature: string } }
      return settings?.signature
    }
    choose({ startInputType: 'webhookTrigger' })
    expect(signature()).toBe('heddle')
    choose({ webhookEnableAuth: false })
    choose({ startInputType: 'webhookTrigger' })
    expect(signature()).toBe('none')
    choose({ startInputType: 'chatInput' })
    expect(readStartTrigger(canvas.state.flow)).toBeNull()
  })

  it("a condition's connections follow its items", () => {
    const canvas = open(condition, llm, reply, note)
    const added = { type: 'string', value1: 'b', operation: 'equal', value2: '' }
    const id = 'conditionAgentflow_0'
    setInputs(canvas, id, { patch: { conditions: [] }, move: { added } })
    connect(canvas, { source: id, sourceHandle: `${id}-output-1`, target: 'llmAgentflow_0' })
    connect(canvas, { source: id, sourceHandle: `${id}-output-2`, target: 'directReplyAgentflow_0' })
    setInputs(canvas, id, { patch: { conditions: [added] }, move: { order: [1] } })
    expect(canvas.state.flow.edges.map((edge) => [edge.sourceHandle, edge.target])).toEqual([
      [`${id}-output-0`, 'llmAgentflow_0'],
      [`${id}-output-1`, 'directReplyAgentflow_0'],
    ])
    expect(canvas.state.flow.nodes[0]?.data.inputs?.conditions).toEqual([added])
  })

  it('keeps the credential in its own place', () => {
    const canvas = open(llm)
    setCredential(canvas, 'llmAgentflow_0', 'c-1')
    expect(canvas.state.flow.nodes[0]?.data.credential).toBe('c-1')
    expect(canvas.state.flow.nodes[0]?.data.inputs).not.toHaveProperty('credential')
  })
})
