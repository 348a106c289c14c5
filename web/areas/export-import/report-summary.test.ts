import { describe, expect, it } from 'vitest'
import type { ImportedItem, ImportReport } from '#contract/export-import/export-import.ts'
import type { FlowReport } from '#contract/schemas/flow-report.ts'
import { changesOf, countImported, openTasks, sourcesTexts, summaryText } from './report-summary.ts'

type NodeReport = FlowReport['nodes'][number]

function node(label: string, tasks: NodeReport['tasks'] = [], changes: string[] = []): NodeReport {
  const reasons = [...changes, ...tasks.map(({ reason }) => reason)]
  return { nodeId: label, label, name: 'llm', verdict: 'changed', reasons, tasks }
}
const report = (nodes: NodeReport[], edges: FlowReport['edges'] = []): FlowReport => ({ nodes, edges, notes: [] })

const credential = { kind: 'credential', reason: 'OpenAI: Choose a credential.' } as const
const unknown = { kind: 'unsupported', reason: 'Tool gmail is not supported.' } as const
const hanging = { edgeId: 'e', reason: 'The connection from A to B leads nowhere.' }

describe('the summary of a report', () => {
  it.each([
    ['1 node, ready to run.', report([node('A')])],
    ['2 nodes. 1 needs a credential.', report([node('A', [credential]), node('B')])],
    [
      '2 nodes. 2 need a credential, 1 is not supported yet.',
      report([node('A', [credential, unknown]), node('B', [credential])]),
    ],
    ['1 node. 1 connection leads nowhere.', report([node('A')], [hanging])],
  ])('reads "%s"', (text, given) => {
    expect(summaryText(given)).toBe(text)
  })
})

describe('the source files of an import', () => {
  it.each([
    [0, undefined, []],
    [1, undefined, ['The source file of this design comes along.']],
    [2, undefined, ['The 2 source files of this design come along.']],
    [0, 0, []],
    [0, 1, ['This flow keeps its own source file, which describes the previous drawing.']],
    [
      2,
      3,
      [
        'The 2 source files of this design stay behind: only the drawing is replaced. Import it as a new flow to keep them.',
        'This flow keeps its own 3 source files, which describe the previous drawing.',
      ],
    ],
  ])('are told of: %i in the file, %s in the flow that it replaces', (imported, replaced, texts) => {
    expect(sourcesTexts(imported, replaced)).toEqual(texts)
  })
})

it('names each task once, with the nodes that have it', () => {
  expect(openTasks(report([node('A', [credential]), node('B', [unknown, credential])], [hanging]))).toEqual([
    { reason: credential.reason, nodes: ['A', 'B'] },
    { reason: unknown.reason, nodes: ['B'] },
    { reason: hanging.reason, nodes: [] },
  ])
})

it('keeps the changes that need nobody apart', () => {
  expect(changesOf(node('A', [credential], ['Upgraded.']))).toEqual(['Upgraded.'])
})

it('counts what the choices import', () => {
  const item = (id: string, choice: ImportedItem['choice']): ImportedItem => ({
    ...{ key: 'Tool', id, name: id, found: 'different', choice },
    choices: ['new', 'replace', 'skip'],
  })
  const items = [item('a', 'new'), item('b', 'skip'), item('c', 'new')]
  const bundle: ImportReport = { imported: { Tool: 2, ChatMessage: 5 }, items, flows: [], leftOut: [], notes: [] }
  expect(countImported(bundle, {})).toEqual({ Tool: 2, ChatMessage: 5 })
  expect(countImported(bundle, { 'Tool/a': 'skip', 'Tool/c': 'replace' })).toEqual({ Tool: 1, ChatMessage: 5 })
  expect(countImported(bundle, { 'Tool/b': 'new' })).toEqual({ Tool: 3, ChatMessage: 5 })
})
