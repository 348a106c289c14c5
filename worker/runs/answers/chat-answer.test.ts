import { describe, expect, it } from 'vitest'
import type { RunEvent, TraceItem } from '#contract/runs/events.ts'
import { outlineEvent } from '#contract/runs/outline.ts'
import { asChatEvents, chatFields } from './chat-answer.ts'

const document = {
  pageContent: 'Oil the loom.',
  metadata: { source: 'manual.pdf', page: 2, customer: 'Ann' },
  id: 'c1',
}
const outlined = { pageContent: 'Oil the loom.', metadata: { source: 'manual.pdf', page: 2 } }

const trace = [
  {
    nodeId: 'chain_0',
    nodeLabel: 'Chain',
    previousNodeIds: [],
    status: 'FINISHED',
    data: {
      id: 'chain_0',
      name: 'chain',
      output: {
        content: 'Oil it',
        sourceDocuments: [document],
        usedTools: [{ tool: 'search', toolInput: { key: 'k' }, toolOutput: 'out' }],
      },
    },
  },
] satisfies TraceItem[]

describe('what stands beside a chat flow’s answer', () => {
  it('shows anonymous callers where sources come from, and the names of tools', () => {
    expect(chatFields(trace, false)).toEqual({ sourceDocuments: [outlined], usedTools: [{ tool: 'search' }] })
  })

  it('shows its workspace everything', () => {
    expect(chatFields(trace, true)).toMatchObject({
      sourceDocuments: [document],
      usedTools: [{ toolInput: { key: 'k' } }],
    })
  })
})

describe('the stream of a chat flow', () => {
  it('sends anonymous callers sources without what else is known of them', () => {
    expect(outlineEvent({ event: 'sourceDocuments', data: [document] })).toEqual({
      event: 'sourceDocuments',
      data: [outlined],
    })
  })

  it('starts before the first token, once, and shows steps to members only', () => {
    const events: RunEvent[] = [
      { event: 'agentFlowEvent', data: 'INPROGRESS' },
      { event: 'token', data: 'a' },
      { event: 'token', data: 'b' },
      { event: 'end', data: '[DONE]' },
    ]
    const sentTo = (withSteps: boolean) => {
      const sent: string[] = []
      const emit = asChatEvents(({ event }) => sent.push(event), { withSteps })
      for (const event of events) emit(event)
      return sent
    }
    expect(sentTo(false)).toEqual(['start', 'token', 'token', 'end'])
    expect(sentTo(true)).toEqual(['agentFlowEvent', 'start', 'token', 'token', 'end'])
  })

  it('starts before sources that come before the first token, which Flowise’s widget would drop', () => {
    const sent: RunEvent[] = []
    const emit = asChatEvents((event) => sent.push(event), { withSteps: false })
    emit({ event: 'sourceDocuments', data: [document] })
    emit({ event: 'token', data: 'a' })
    expect(sent.map(({ event, data }) => [event, data])).toEqual([
      ['start', ''],
      ['sourceDocuments', [document]],
      ['token', 'a'],
    ])
  })
})
