import { expect, it } from 'vitest'
import { flowDataOf } from '#contract/chatflows/chatflows.ts'
import { FLOW_TYPES } from '#contract/flow/flow-types.ts'
import { documentColumns, summarizeFlow } from './summary.ts'

const node = (id: string, data: object = {}, more: object = {}) => ({
  ...{ id, type: 'agentFlow', position: { x: 0, y: 0 }, ...more },
  data: { id, name: 'llmAgentflow', label: 'LLM', ...data },
})

const parse = (nodes: object[], edges: object[] = []) => flowDataOf(JSON.stringify({ nodes, edges })).document

it('counts nodes and their colors, without notes', () => {
  const flow = parse([
    node('a', { name: 'startAgentflow', color: '#7EE787' }),
    node('b', { color: '#64B5F6' }),
    node('c', { color: '#64B5F6' }),
    node('d', { color: 'url(https://example.com)' }),
    node('e', { name: 'stickyNoteAgentflow', color: '#fee440' }),
  ])
  expect(summarizeFlow(flow)).toMatchObject({ nodes: 4, colors: ['#7EE787', '#64B5F6'] })
})

it('says of a flow of no nodes that it has none', () => {
  expect(summarizeFlow(parse([]))).toEqual({
    ...{ nodes: 0, colors: [] },
    sketch: { width: 0, height: 0, nodes: [], edges: [] },
  })
})

it.each(FLOW_TYPES)('does not ask what kind of flow it is: %s', (type) => {
  const flow = parse([node('a', { name: `made up for ${type}`, type }), node('b', { type })])
  expect(summarizeFlow(flow)).toMatchObject({ nodes: 2, sketch: { nodes: [{ name: `made up for ${type}` }, {}] } })
})

it('stays small whatever the document holds', () => {
  const long = '\u0001'.repeat(500)
  const nodes = Array.from({ length: 100 }, (_, index) =>
    node(
      `${index}${long}`,
      { name: long, label: long, color: `#${String(index).padStart(6, '0')}` },
      { position: { x: -1e300 * (index % 2), y: 1.23456789012345e300 }, width: 1e300, height: 0.123456789012345 },
    ),
  )
  const edges = Array.from({ length: 1000 }, (_, index) => ({
    ...{ id: `e${index}`, source: `${index % 60}${long}`, target: nodes[index % 60]?.id },
  }))
  const summary = summarizeFlow(parse(nodes, edges))
  expect(summary).toMatchObject({ nodes: 100, colors: { length: 6 } })
  expect(JSON.stringify(summary).length).toBeLessThan(64 * 1024)
})

it('keeps the text as it was sent', () => {
  const text = '{ "nodes": [],  "edges": [] }'
  expect(documentColumns(flowDataOf(text)).flowData).toBe(text)
})
