/** A made-up kind whose nodes have several ways back, each with a label and a condition. */
import { describe, expect, it } from 'vitest'
import { diffFlows } from '#contract/flow/diff/diff.ts'
import { checkConnection, connectNodes } from '#contract/flow/document/connect.ts'
import { createNode } from '#contract/flow/document/create.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { removeNodes } from '#contract/flow/document/remove.ts'
import { bed, components, heap, well, worms } from '#contract/flow/kinds/testing/garden/components.ts'
import { garden } from '#contract/flow/kinds/testing/garden/kind.ts'
import { upstreamFinder } from '#contract/flow/references/upstream.ts'
import { problemText } from '#contract/flow/rules/problem.ts'
import { structureProblems } from '#contract/flow/rules/structure.ts'
import { nodeOf, withInputs } from '#contract/flow/testing/flows.ts'
import { copyToClipboard, pasteNodes } from '#contract/flow/transfer/duplicate.ts'
import { gardenNodes } from '../nodes/testing/garden.ts'
import { compile } from './plan.ts'
import { createRun } from './run.ts'
import { catalogueOf, requestFor } from './testing/flows.ts'

const link = (flow: FlowDocument, [sourceHandle = '', targetHandle = '']: string[]) => {
  const [source = ''] = sourceHandle.split('>')
  const [target = ''] = targetHandle.split('<')
  const connection = { source, sourceHandle, target, targetHandle }
  expect(checkConnection(flow, connection, garden)).toEqual({ ok: true })
  return connectNodes(flow, connection, garden)
}

function draw(): FlowDocument {
  const nodes: FlowDocument['nodes'] = []
  for (const part of [well, bed, worms, heap]) nodes.push(createNode(part, { nodes, position: { x: 0, y: 0 } }, garden))
  const flow = [
    ['well_0>water', 'bed_0<water'],
    ['bed_0>weeds', 'worms_0<scraps'],
    ['worms_0>humus', 'heap_0<scraps'],
  ].reduce(link, { nodes, edges: [] })
  return withInputs(flow, 'bed_0', { seeds: 'dust' })
}

const digging = { target: 'bed_0', label: 'dig' }
const watering = { target: 'well_0', label: 'water' }
const withWays = (...ways: Record<string, string>[]) => withInputs(draw(), 'worms_0', { ways })
const waysOf = (flow: FlowDocument, id = 'worms_0') => nodeOf(flow, id).data.inputs?.ways
const textsOf = (flow: FlowDocument) => structureProblems(flow, garden).map(problemText)

async function pathsOf(flow: FlowDocument, done = requestFor(flow).rows) {
  const request = requestFor(flow, {
    compile: (document, types) => compile(document, types, garden),
    input: { text: 'cold', history: [] },
    done,
  })
  const { state, error } = await createRun(catalogueOf(...gardenNodes))(request)
  expect({ state, error }).toMatchObject({ state: 'FINISHED' })
  return { paths: [...done, ...request.rows].map(({ path }) => path), rows: request.rows }
}

describe('a run', () => {
  it('takes the back edge whose condition holds', async () => {
    const first = await pathsOf(withWays({ ...digging, condition: '1' }, { ...watering, condition: '0' }))
    expect(first.paths).toEqual(['well_0', 'bed_0', 'worms_0', 'bed_0#1', 'worms_0#1', 'heap_0#1'])
    const second = await pathsOf(withWays({ ...digging, condition: '0' }, { ...watering, condition: '1' }))
    expect(second.paths).toEqual(['well_0', 'bed_0', 'worms_0', 'well_0#1', 'bed_0#1', 'worms_0#1', 'heap_0#1'])
  })

  it('takes no back edge whose condition does not hold', async () => {
    const { paths } = await pathsOf(withWays({ ...digging, condition: '0' }, { ...watering, condition: '0' }))
    expect(paths).toEqual(['well_0', 'bed_0', 'worms_0', 'heap_0'])
  })

  // Digging, then watering, which forgets that there was digging; the sum of both is then one again.
  const both = withWays({ ...digging, condition: '1' }, { ...watering, condition: '2' })

  it('counts each back edge of a node, and counts an inner one anew when the outer one is taken', async () => {
    const { rows } = await pathsOf(both)
    const taken = rows.filter(({ nodeId }) => nodeId === 'worms_0').map(({ takenOutputs }) => takenOutputs)
    expect(taken).toEqual([[-2], [-3], [-3], null])
  })

  it('goes on from every place in its log along the same back edges', async () => {
    const whole = await pathsOf(both)
    for (let kept = 1; kept < whole.rows.length; kept++) {
      expect((await pathsOf(both, whole.rows.slice(0, kept))).paths).toEqual(whole.paths)
    }
  })

  it('reads the log of an earlier version, which said of a Loop node that it took no output', async () => {
    const once = withInputs(withWays({ ...digging, condition: '1' }), 'worms_0', {})
    const definition = { ...worms, outputs: undefined }
    const nodes = gardenNodes.map((type) => (type.definition.name === 'worms' ? { ...type, definition } : type))
    const run = createRun(catalogueOf(...nodes))
    const request = (done = requestFor(once).rows) =>
      requestFor(once, { compile: (document, types) => compile(document, types, garden), done })
    const first = request()
    await run(first)
    const old = first.rows.slice(0, 3).map((row) => (row.nodeId === 'worms_0' ? { ...row, takenOutputs: [] } : row))
    const second = request(old)
    await run(second)
    expect(second.rows.map(({ path }) => path)).toEqual(['bed_0#1', 'worms_0#1', 'heap_0#1'])
  })
})

describe('the document', () => {
  it('gets a back edge from a connection that closes a cycle, where its kind makes one', () => {
    const closed = link(draw(), ['worms_0>soil', 'bed_0<soil'])
    expect(closed.edges).toEqual(draw().edges)
    expect(waysOf(closed)).toEqual([{ target: 'bed_0', label: 'way 1' }])
    expect(waysOf(link(closed, ['worms_0>soil', 'bed_0<soil']))).toEqual([
      { target: 'bed_0', label: 'way 1' },
      { target: 'bed_0', label: 'way 2' },
    ])
    const { newBackEdge: _, ...without } = garden
    const connection = { source: 'worms_0', sourceHandle: 'worms_0>soil', target: 'bed_0', targetHandle: 'bed_0<soil' }
    expect(checkConnection(draw(), connection, without)).toEqual({
      ok: false,
      reason: 'This connection would create a cycle. Water flows down.',
    })
  })

  it('leads the back edges of copies to the copies of their targets', () => {
    const flow = withWays({ ...digging, condition: '1' }, watering)
    const pasted = pasteNodes(flow, copyToClipboard(flow, ['bed_0', 'worms_0']), {
      kind: garden,
      position: { x: 0, y: 0 },
    })
    expect(waysOf(pasted.flow, 'worms_1')).toEqual([{ target: 'bed_1', label: 'dig', condition: '1' }, watering])
    const all = pasteNodes(flow, copyToClipboard(flow, ['well_0', 'bed_0', 'worms_0']), {
      kind: garden,
      position: { x: 0, y: 0 },
    })
    expect(waysOf(all.flow, 'worms_1')).toEqual([
      { target: 'bed_1', label: 'dig', condition: '1' },
      { target: 'well_1', label: 'water' },
    ])
  })

  it('loses with a node only the back edges that lead to it', () => {
    const flow = removeNodes(withWays(digging, { ...watering, condition: '2' }), ['bed_0'], garden)
    expect(waysOf(flow)).toEqual([{ ...watering, condition: '2' }])
  })

  it('has upstream of a node what any back edge brings to it', () => {
    const { idsOf } = upstreamFinder(withWays(digging, watering), garden)
    expect([...idsOf('well_0')].sort()).toEqual(['bed_0', 'well_0', 'worms_0'])
    expect([...upstreamFinder(withWays(digging), garden).idsOf('well_0')]).toEqual([])
  })
})

describe('the structural rules', () => {
  it('accept several back edges with labels and conditions', () => {
    expect(textsOf(withWays({ ...digging, condition: '1' }, watering))).toEqual([])
  })

  it.each([
    [[digging, { ...watering, target: 'well_9' }], 'The node to loop back to no longer exists. Choose another one'],
    [[digging, { ...watering, label: 'dig' }], 'Two ways back are labelled “dig”. Give each its own label'],
  ])('refuse %j', (ways, issue) => {
    expect(textsOf(withWays(...ways))).toEqual([`Worms worms_0: ${issue}`])
  })
})

describe('the comparison of two versions', () => {
  const changesBetween = (before: FlowDocument, after: FlowDocument) =>
    diffFlows(before, after, { components, kind: garden }).nodes.flatMap(({ changes }) =>
      changes.map(({ label, before: from, after: to }) => [label, from, to]),
    )

  it('names each back edge that was added, removed or changed', () => {
    const before = withWays(digging, { ...watering, condition: '1' })
    const resting = { target: 'bed_0', label: 'rest' }
    expect(changesBetween(before, withWays({ ...watering, condition: '2' }, resting))).toEqual([
      ['Back edge “water”', 'Well well_0, when 1', 'Well well_0, when 2'],
      ['Back edge “rest”', undefined, 'Bed bed_0'],
      ['Back edge “dig”', 'Bed bed_0', undefined],
    ])
  })

  it('names another order, in which other conditions come first', () => {
    expect(changesBetween(withWays(digging, watering), withWays(watering, digging))).toEqual([
      ['Order of back edges', ['dig', 'water'], ['water', 'dig']],
    ])
  })

  it('says nothing of back edges that are the same', () => {
    expect(changesBetween(withWays(digging, watering), withWays(digging, watering))).toEqual([])
  })
})
