import { describe, expect, it } from 'vitest'
import { checkConnection, connectNodes } from '#contract/flow/document/connect.ts'
import { createNode } from '#contract/flow/document/create.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { newDocument } from '#contract/flow/document/draw.ts'
import { orphanedEdges } from '#contract/flow/document/orphans.ts'
import { parseFlow } from '#contract/flow/document/parse.ts'
import { removeNodes } from '#contract/flow/document/remove.ts'
import { exportFlow, serializeFlow } from '#contract/flow/document/serialize.ts'
import { upgradeNode } from '#contract/flow/document/upgrade.ts'
import { bed, components, heap, vase, well } from '#contract/flow/kinds/testing/garden/components.ts'
import { garden } from '#contract/flow/kinds/testing/garden/kind.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { variableSuggestions } from '#contract/flow/references/suggestions.ts'
import { problemText } from '#contract/flow/rules/problem.ts'
import { flowProblems } from '#contract/flow/rules/problems.ts'
import { nodeOf, withInputs } from '#contract/flow/testing/flows.ts'
import { copyToClipboard, duplicateNode, pasteNodes } from '#contract/flow/transfer/duplicate.ts'
import { importReport } from '#contract/flow/transfer/report.ts'
import { gardenNodes } from '../nodes/testing/garden.ts'
import { compile } from './plan.ts'
import { createRun } from './run.ts'
import { catalogueOf, requestFor } from './testing/flows.ts'

const catalogue = catalogueOf(...gardenNodes)
const fresh = newDocument(garden, components)

const add = (flow: FlowDocument, definition: ComponentDefinition): FlowDocument => ({
  ...flow,
  nodes: [...flow.nodes, createNode(definition, { nodes: flow.nodes, position: { x: 0, y: 0 } }, garden)],
})

/** `well_0>water bed_0<water`: each handle begins with its node's id. */
function link(flow: FlowDocument, text: string): FlowDocument {
  const connection = connectionOf(text)
  expect(checkConnection(flow, connection, garden)).toEqual({ ok: true })
  return connectNodes(flow, connection, garden)
}

function connectionOf(text: string) {
  const [sourceHandle = '', targetHandle = ''] = text.split(' ')
  const [source = ''] = sourceHandle.split('>')
  const [target = ''] = targetHandle.split('<')
  return { source, sourceHandle, target, targetHandle }
}

/** Two wells, a bed with soil from both, and what becomes of its flowers and weeds. */
const planted = [
  'well_0>water bed_0<water',
  'well_0>mud bed_0<soil',
  'well_1>mud bed_0<soil',
  'bed_0>flowers vase_0<flowers',
  'bed_0>weeds heap_0<scraps',
].reduce(link, [well, bed, vase, heap].reduce(add, fresh))

const problemsOf = (flow: FlowDocument) => flowProblems(flow, components, { kind: garden }).map(problemText)

const answerOf = async (flow: FlowDocument) => {
  const request = requestFor(flow, {
    compile: (document, types) => compile(document, types, garden),
    input: { text: 'cold', history: [] },
  })
  const { state, text, error } = await createRun(catalogue)(request)
  return { state, text, error, ran: request.rows.map(({ nodeId }) => nodeId) }
}

describe('a made-up kind of flow', () => {
  it('opens a new document with its first nodes', () => {
    expect(fresh.nodes).toMatchObject([{ id: 'well_0', type: 'plant', width: 120, data: { label: 'Well well_0' } }])
  })

  it('is read as it was stored, and leaves as a file', () => {
    const stored = JSON.parse(JSON.stringify(serializeFlow(planted)))
    expect(parseFlow(stored)).toEqual({ ok: true, flow: stored, dropped: new Map() })
    expect(exportFlow(planted, components).edges).toEqual(planted.edges)
    const report = importReport(planted, components, { kind: garden })
    expect([report.edges, report.nodes.map(({ verdict }) => verdict)]).toEqual([[], Array(5).fill('exact')])
  })

  it('connects ports that share a type, each input as often as it accepts', () => {
    const verdictOn = (text: string) => checkConnection(planted, connectionOf(text), garden)
    expect(verdictOn('well_0>water vase_0<flowers')).toMatchObject({ reason: expect.stringContaining('takes Bouquet') })
    expect(verdictOn('well_1>water bed_0<water')).toMatchObject({ reason: expect.stringContaining('only one') })
    expect(verdictOn('bed_0>weeds well_0<water')).toMatchObject({ reason: expect.stringContaining('has no input') })
    expect(planted.edges[0]).toMatchObject({ type: 'hose', id: 'well_0-well_0>water-bed_0-bed_0<water' })
  })

  it('has the checklist of its own rules beside those of all kinds', () => {
    expect(problemsOf(planted)).toEqual([])
    expect(problemsOf(add(fresh, bed))).toEqual([
      'Bed bed_0: Water is missing. Connect it',
      'Well well_0: Nothing is watered from here',
    ])
    expect(problemsOf(withInputs(planted, 'bed_0', { seeds: 'stones' }))).toEqual(['Bed bed_0: Stones do not grow'])
    expect(problemsOf(withInputs(planted, 'bed_0', { seeds: '' }))).toEqual(['Bed bed_0: Seeds is required'])
    const gone = { ...planted, edges: planted.edges.map((edge) => ({ ...edge, sourceHandle: `${edge.source}>ash` })) }
    expect(problemsOf(gone)).toHaveLength(planted.edges.length)
  })

  it('places, copies, removes and upgrades nodes by its rules', () => {
    expect(duplicateNode(planted, 'well_0', garden)).toEqual({ ok: false, reason: 'A garden has at most 2 wells.' })
    const pasted = pasteNodes(planted, copyToClipboard(planted, ['bed_0', 'vase_0']), {
      kind: garden,
      position: { x: 0, y: 0 },
    })
    expect(pasted.ids).toEqual(['bed_1', 'vase_1'])
    expect(nodeOf(pasted.flow, 'bed_1').data.label).toBe('Cutting of Bed bed_0')
    expect(orphanedEdges(pasted.flow, garden)).toEqual([])
    expect(nodeOf(pasted.flow, 'vase_1').data.inputs?.flowers).toBe('{{bed_1.output.flowers}}')
    expect(nodeOf(removeNodes(planted, ['well_1'], garden), 'bed_0').data.inputs).toMatchObject({
      water: '{{well_0.output.water}}',
      soil: ['{{well_0.output.mud}}'],
    })
    const upgraded = upgradeNode(nodeOf(planted, 'bed_0'), { ...bed, version: 2 }, garden)
    expect(upgraded.data).toEqual({ ...nodeOf(planted, 'bed_0').data, version: 2 })
  })

  it('offers the values that it declares to references', () => {
    const ids = variableSuggestions(planted, 'vase_0', { kind: garden }).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['$flow.state.season', 'bed_0.output.weeds', 'well_1.output.mud']))
  })

  it('runs from all nodes that nothing leads to, along the outputs that are taken', async () => {
    const grown = 'on cold water and cold mud, cold mud'
    expect(await answerOf(planted)).toMatchObject({
      state: 'FINISHED',
      text: `A vase of tulips ${grown}`,
      ran: ['well_0', 'well_1', 'bed_0', 'vase_0'],
    })
    expect(await answerOf(withInputs(planted, 'bed_0', { seeds: 'dust' }))).toMatchObject({
      text: `A heap of dust ${grown}`,
      ran: ['well_0', 'well_1', 'bed_0', 'heap_0'],
    })
  })

  it('does not run against its own structural rules', async () => {
    expect(await answerOf(add(fresh, bed))).toMatchObject({
      state: 'ERROR',
      error: 'Bed bed_0: Water is missing. Connect it',
    })
  })
})
