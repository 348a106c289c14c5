import { describe, expect, it } from 'vitest'
import type { TraceData, TraceItem } from '#contract/runs/events.ts'
import { parseStepPath } from '#contract/runs/step-paths.ts'
import { flatTree, occurrenceText, traceTree, waitingSteps } from './tree.ts'

const item = (path: string, data: Partial<TraceData> = {}, more: Partial<TraceItem> = {}): TraceItem => {
  const { nodeId } = parseStepPath(path)
  return {
    nodeId,
    nodeLabel: `The ${nodeId}`,
    previousNodeIds: [],
    status: 'FINISHED',
    data: { id: nodeId, name: nodeId, ...data },
    path,
    ...more,
  }
}
const action = {
  id: 'e:h:0',
  mapping: { approve: 'Yes', reject: 'No' },
  elements: [],
  data: { nodeId: 'h', nodeLabel: 'H', path: 'h', input: { humanInputEnableFeedback: false } },
}
const asked = (path: string) => item(path, { output: { humanInputAction: action } }, { status: 'STOPPED' })
const answered = (path: string) => item(path, { answer: { type: 'proceed' } }, { status: 'STOPPED' })

it.each([
  ['a', ''],
  ['a#2', 'round 3'],
  ['a@i[3]', 'item 4'],
  ['a#1@i#2[3]', 'item 4, round 2'],
  ['a@i@o#1[4][0]', 'item 5, item 1'],
])('describes the path %s as "%s"', (path, text) => expect(occurrenceText(path)).toBe(text))

describe('traceTree', () => {
  const shape = (trace: TraceItem[]): unknown => {
    const brief = (nodes: ReturnType<typeof traceTree>): unknown =>
      nodes.map(({ path, items }) =>
        items.length ? [path, items.map(({ index, nodes }) => [index, brief(nodes)])] : path,
      )
    return brief(traceTree(trace))
  }

  it('keeps the order of a flat trace', () => {
    expect(shape([item('a'), item('b')])).toEqual(['a', 'b'])
  })

  it('separates the rounds of a loop', () => {
    expect(traceTree([item('a'), item('a#1')]).map(({ round }) => round)).toEqual([0, 1])
  })

  it('groups the steps of an iteration by item, in any order of completion', () => {
    const trace = [item('s'), item('x@i[1]'), item('x@i[0]'), item('y@i[1]'), item('i'), item('z')]
    expect(shape(trace)).toEqual([
      's',
      [
        'i',
        [
          [0, ['x@i[0]']],
          [1, ['x@i[1]', 'y@i[1]']],
        ],
      ],
      'z',
    ])
  })

  it('shows an unfinished iteration by the steps of its items', () => {
    const [iteration] = traceTree([item('x@iteration_0[0]')])
    expect(iteration).toMatchObject({ path: 'iteration_0', label: 'iteration_0' })
    expect(iteration?.item).toBeUndefined()
  })

  it('nests iterations in iterations', () => {
    const inner = ['i@o[1]', [[0, ['x@i@o[1][0]']]]]
    expect(shape([item('x@i@o[1][0]')])).toEqual([['o', [[1, [inner]]]]])
  })

  it('uses the last row of a step that asked and was answered', () => {
    const tree = traceTree([asked('h'), answered('h'), item('h', { output: { content: 'Yes' } })])
    expect(tree.map((node) => node.item?.status)).toEqual(['FINISHED'])
  })
})

it('lists all nodes, parents first', () => {
  expect(flatTree(traceTree([item('x@i[0]'), item('i'), item('z')])).map(({ path }) => path)).toEqual([
    'i',
    'x@i[0]',
    'z',
  ])
})

it('finds the steps that wait for an answer', () => {
  const trace = [asked('h'), asked('g'), answered('g'), asked('k@i[0]'), asked('j'), answered('j'), item('j')]
  expect(waitingSteps(trace).map(({ path }) => path)).toEqual(['h', 'k@i[0]'])
})
