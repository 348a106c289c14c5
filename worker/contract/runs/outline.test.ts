import { describe, expect, it } from 'vitest'
import type { RunEvent, TraceItem } from './events.ts'
import { outlineEvent, outlineItem } from './outline.ts'

const document = {
  pageContent: 'Oil the loom.',
  metadata: { source: 'manual.pdf', page: 2, customer: 'Ann' },
  id: 'c1',
}
const outlined = { pageContent: 'Oil the loom.', metadata: { source: 'manual.pdf', page: 2 } }

const item = {
  nodeId: 'agent_0',
  nodeLabel: 'Agent',
  previousNodeIds: ['start_0'],
  status: 'FINISHED',
  path: 'agent_0',
  error: 'The key sk-1 is not valid',
  data: {
    id: 'agent_0',
    name: 'agent',
    input: { messages: [{ role: 'system', content: 'Be kind' }] },
    state: { plan: 'gold' },
    answer: { type: 'proceed', feedback: 'Only for Ann', by: { kind: 'user', id: 'u1', name: 'Ann' } },
    output: {
      content: 'Oil it',
      sourceDocuments: [document],
      usedTools: [{ tool: 'search', toolInput: { key: 'k' }, toolOutput: 'out' }],
      http: { url: 'https://inner.example' },
      usageMetadata: { input_tokens: 1 },
    },
  },
} as unknown as TraceItem

describe('what anonymous callers see of a step', () => {
  it('is how it ended, what it said, where that comes from, and the names of tools', () => {
    expect(outlineItem(item)).toEqual({
      nodeId: 'agent_0',
      nodeLabel: 'Agent',
      previousNodeIds: ['start_0'],
      status: 'FINISHED',
      path: 'agent_0',
      data: {
        id: 'agent_0',
        name: 'agent',
        answer: { type: 'proceed', by: { kind: 'team' } },
        output: { content: 'Oil it', sourceDocuments: [outlined], usedTools: [{ tool: 'search' }] },
      },
    })
  })
})

describe('what anonymous callers see of an event', () => {
  it.each([
    [{ event: 'sourceDocuments', data: [document] }, [outlined]],
    [
      {
        event: 'metadata',
        data: {
          executionId: 'e1',
          approvals: [
            { toolCalls: null, answer: { type: 'reject', feedback: 'No', by: { kind: 'user', name: 'Ann' } } },
          ],
        },
      },
      { executionId: 'e1', approvals: [{ toolCalls: null, answer: { type: 'reject', by: { kind: 'team' } } }] },
    ],
    [
      { event: 'usedTools', data: [{ tool: 'search', toolInput: { key: 'k' }, toolOutput: 'out' }] },
      [{ tool: 'search' }],
    ],
    [
      { event: 'nextAgentFlow', data: { nodeId: 'a', nodeLabel: 'A', status: 'ERROR', path: 'a', error: 'sk-1' } },
      { nodeId: 'a', nodeLabel: 'A', status: 'ERROR', path: 'a' },
    ],
  ])('is less than a member sees: %j', (event, data) => {
    expect(outlineEvent(event as RunEvent)).toEqual({ event: event.event, data })
  })

  it.each(['calledTools', 'thinking', 'usageMetadata'])('is nothing of %s', (event) => {
    expect(outlineEvent({ event, data: 'x' } as unknown as RunEvent)).toBeUndefined()
  })
})
