// @defends source-answer-address
import { expect, it } from 'vitest'
import type { TraceItem } from './events.ts'
import {
  citedBy,
  documentsIn,
  readOrigin,
  withSafeAddresses,
  withSafeEventSources,
  withSafeSources,
} from './sources.ts'

const step = (...sourceDocuments: unknown[]): TraceItem => ({
  nodeId: 'n',
  nodeLabel: 'Search',
  previousNodeIds: [],
  status: 'FINISHED',
  data: { id: 'n', name: 'search', output: { content: '', sourceDocuments } },
})

it('names each document once, in the order of the steps', () => {
  const a = { pageContent: 'A', metadata: { source: 'a.pdf' }, id: '1' }
  const b = { pageContent: 'B', metadata: { source: 'b.pdf' } }
  expect(citedBy([step(a, b), step(b, a)])).toEqual([a, b])
  expect(citedBy([step(b), step({ ...b, metadata: { source: 'c.pdf' } })])).toHaveLength(2)
})

it('sources leave out what is not a document', () => {
  expect(documentsIn([null, 'text', { pageContent: 1 }, { pageContent: 'A', metadata: [], id: 7 }])).toEqual([
    { pageContent: 'A', metadata: {} },
  ])
  expect(documentsIn(undefined)).toEqual([])
})

it('keeps an answer small: fifty documents of five thousand characters', () => {
  const many = Array.from({ length: 60 }, (_, at) => ({ pageContent: `${at} ${'x'.repeat(9000)}`, metadata: {} }))
  const cited = citedBy([step(...many)])
  expect(cited).toHaveLength(50)
  expect(cited[0]?.pageContent).toHaveLength(5001)
})

it.each([
  [
    { source: 'a.pdf', page: 3 },
    { name: 'a.pdf', page: 3 },
  ],
  [
    { source: 'blob', fileName: 'a.docx', loc: { pageNumber: 2 } },
    { name: 'a.docx', page: 2 },
  ],
  [
    { source: 'https://example.com/x', title: 'X' },
    { name: 'https://example.com/x', url: 'https://example.com/x' },
  ],
  [{ source: 'javascript:alert(1)' }, { name: 'javascript:alert(1)' }],
  [{ source: 5, page: '3' }, {}],
])('the source %j says where it comes from', (metadata, origin) => {
  expect(readOrigin(metadata)).toEqual(origin)
})

it.each([
  'javascript:alert(1)',
  '\u0001 JaVaScRiPt:alert(1)',
  'java\n\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
])('sources leave out %j, which would run where a client opens it', (address) => {
  const metadata = { source: address, url: address, title: address, page: 1 }
  expect(withSafeAddresses({ metadata })).toEqual({ metadata: { title: address, page: 1 } })
})

it.each(['https://a.example/x', 's3://bucket/a.pdf', 'C:\\a.pdf', 'javascript.pdf', 'a.pdf', '', 7])(
  'keeps %j, which runs nothing',
  (source) => {
    const document = { metadata: { source } }
    expect(withSafeAddresses(document)).toBe(document)
  },
)

it('such addresses are left out of steps, of their tools, and of events', () => {
  const documents = [{ pageContent: 'A', metadata: { source: 'javascript:alert(1)', page: 1 } }]
  const safe = [{ pageContent: 'A', metadata: { page: 1 } }]
  const used = (sourceDocuments: unknown[]) => ({ tool: 'search', toolOutput: 'A', sourceDocuments })
  const whole = step(...documents)
  whole.data.output = { ...whole.data.output, usedTools: [used(documents)] }
  const expected = { content: '', sourceDocuments: safe, usedTools: [used(safe)] }
  expect(withSafeSources(whole).data.output).toEqual(expected)
  const sent = (event: Parameters<typeof withSafeEventSources>[0]) => withSafeEventSources(event).data
  expect(sent({ event: 'sourceDocuments', data: documents })).toEqual(safe)
  expect(sent({ event: 'usedTools', data: [used(documents)] })).toEqual([used(safe)])
  expect(sent({ event: 'agentFlowExecutedData', data: [whole] })).toMatchObject([{ data: { output: expected } }])
  expect(sent({ event: 'token', data: 'A' })).toBe('A')
})
