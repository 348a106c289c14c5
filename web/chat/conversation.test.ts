import { describe, expect, it } from 'vitest'
import type { HumanInputAction, RunEvent, RunState, TraceItem, UsedTool } from '#contract/runs/events.ts'
import {
  type Answer,
  applyEvent,
  continuing,
  emptyAnswer,
  goneOn,
  questionOf,
  type StoredMessage,
  toTurns,
} from './conversation.ts'

const answerAfter = (...events: RunEvent[]): Answer => events.reduce(applyEvent, emptyAnswer())
const action: HumanInputAction = {
  id: 'run:human_0:0',
  mapping: { approve: 'Send it', reject: 'Keep it' },
  elements: [],
  data: { nodeId: 'human_0', nodeLabel: 'Ask', path: 'human_0', input: { humanInputEnableFeedback: true } },
}
const asking = (content: string): TraceItem => ({
  nodeId: 'human_0',
  nodeLabel: 'Ask',
  previousNodeIds: [],
  status: 'STOPPED',
  data: { id: 'human_0', name: 'humanInputAgentflow', output: { content, humanInputAction: action } },
  path: 'human_0',
})
const step = (nodeId: string, status: 'INPROGRESS' | 'FINISHED' | 'ERROR'): RunEvent => ({
  event: 'nextAgentFlow',
  data: { nodeId, nodeLabel: nodeId, status },
})

describe('applyEvent', () => {
  it('joins tokens in order', () => {
    expect(answerAfter({ event: 'token', data: 'Hel' }, { event: 'token', data: 'lo' }).text).toBe('Hello')
  })

  it('replaces the lists of tools and artifacts, since events carry the full list', () => {
    const [first, second] = ['add', 'multiply'].map((tool) => ({ tool, toolInput: {}, toolOutput: '' }))
    const picture = { type: 'png', data: 'data:image/png;base64,AAAA' }
    const answer = answerAfter(
      { event: 'usedTools', data: [first as UsedTool] },
      { event: 'usedTools', data: [first as UsedTool, second as UsedTool] },
      { event: 'artifacts', data: [picture] },
    )
    expect(answer.usedTools).toEqual([first, second])
    expect(answer.artifacts).toEqual([picture])
  })

  it('shows what all steps were based on, now and when the answer is read again', () => {
    const document = { pageContent: 'Thirty days.', metadata: { source: 'handbook.pdf' } }
    const search = asking('')
    search.data = { ...search.data, output: { content: 'Thirty days.', sourceDocuments: [document] } }
    expect(answerAfter({ event: 'agentFlowExecutedData', data: [search, asking('Done')] }).sources).toEqual([document])
    const stored = { id: 'a', role: 'apiMessage' as const, content: 'Thirty.', sourceDocuments: [document, 'broken'] }
    expect(toTurns([stored])[0]?.answer.sources).toEqual([document])
  })

  it('shows anonymous callers the sources of a chat flow, whose steps they do not get', () => {
    const document = { pageContent: '', metadata: { source: 'handbook.pdf' } }
    const answer = answerAfter(
      { event: 'sourceDocuments', data: [document, 'broken'] },
      { event: 'end', data: '[DONE]' },
    )
    expect(answer.sources).toEqual([document])
  })

  it('counts the steps of the whole run at its last answer, as when it is read back', () => {
    const waits: RunEvent = { event: 'nextAgentFlow', data: { nodeId: 'human_0', nodeLabel: 'Ask', status: 'STOPPED' } }
    const asked = answerAfter(step('start_0', 'FINISHED'), waits, { event: 'action', data: action })
    expect(goneOn(asked).steps).toEqual([])
    const trace = ['start_0', 'human_0', 'human_0', 'reply_0'].map((path) => ({ ...asking(''), nodeId: path, path }))
    const events: RunEvent[] = [step('human_0', 'FINISHED'), step('reply_0', 'FINISHED')]
    const after = [...events, { event: 'agentFlowExecutedData', data: trace } as const].reduce(
      applyEvent,
      continuing({ id: 't', question: '', answer: emptyAnswer() }, asked).answer,
    )
    expect(after.stepCount).toBe(3)
    expect(after.steps.map(({ nodeId, status }) => `${nodeId} ${status}`)).toEqual([
      'start_0 FINISHED',
      'human_0 FINISHED',
      'reply_0 FINISHED',
    ])
  })

  it('finishes the running step and adds one when the node runs again', () => {
    const answer = answerAfter(step('llm_0', 'INPROGRESS'), step('llm_0', 'FINISHED'), step('llm_0', 'INPROGRESS'))
    expect(answer.steps.map((mark) => mark.status)).toEqual(['FINISHED', 'INPROGRESS'])
  })

  it.each<[string, RunEvent[], Partial<Answer>]>([
    ['ends done', [{ event: 'end', data: '[DONE]' }], { state: 'done' }],
    [
      'ends failed with the message of the run',
      [
        { event: 'error', data: 'LLM 0: no key' },
        { event: 'end', data: '[DONE]' },
      ],
      { state: 'failed', error: 'LLM 0: no key' },
    ],
    [
      'ends stopped, which is not a failure',
      [
        { event: 'agentFlowEvent', data: 'TERMINATED' },
        { event: 'end', data: '[DONE]' },
      ],
      { state: 'stopped' },
    ],
    [
      'ends stopped by a limit, and says which',
      [
        { event: 'agentFlowEvent', data: 'TERMINATED' },
        { event: 'error', data: 'The limit of 10 steps was reached' },
        { event: 'end', data: '[DONE]' },
      ],
      { state: 'stopped', error: 'The limit of 10 steps was reached' },
    ],
    [
      'waits for an answer',
      [
        { event: 'action', data: action },
        { event: 'agentFlowEvent', data: 'STOPPED' },
        { event: 'end', data: '[DONE]' },
      ],
      { state: 'waiting' },
    ],
  ])('applies the events of a run: %s', (_name, events, expected) => {
    const { state, error } = answerAfter(...events)
    expect({ state, error }).toEqual({ error: undefined, ...expected })
  })

  it('names the tools that run now, until each is done', () => {
    const calls: RunEvent = { event: 'calledTools', data: [{ name: 'search' }, { name: 'calculator' }] }
    const used: RunEvent = { event: 'usedTools', data: [{ tool: 'search' }] }
    expect(answerAfter(calls).calling).toEqual(['search', 'calculator'])
    expect(answerAfter(calls, used).calling).toEqual(['calculator'])
    expect(answerAfter(calls, { event: 'token', data: 'It' }).calling).toEqual([])
  })

  it('adds the durations of finished steps', () => {
    const item = { ...asking(''), startedAt: '2026-01-01T00:00:00.000Z', finishedAt: '2026-01-01T00:00:01.500Z' }
    const answer = answerAfter(step('human_0', 'FINISHED'), { event: 'agentFlowExecutedData', data: [item] })
    expect(answer.steps.map(({ duration }) => duration)).toEqual([1500])
  })

  it('separates the items of an iteration', () => {
    const inItem = (index: number, status: 'INPROGRESS' | 'FINISHED'): RunEvent => ({
      event: 'nextAgentFlow',
      data: { nodeId: 'llm_0', nodeLabel: 'LLM', status, path: `llm_0@iteration_0[${index}]` },
    })
    const answer = answerAfter(inItem(0, 'INPROGRESS'), inItem(1, 'INPROGRESS'), inItem(0, 'FINISHED'))
    expect(answer.steps.map(({ status }) => status)).toEqual(['FINISHED', 'INPROGRESS'])
  })

  it.each<[string, RunEvent[]]>([
    [
      'the trace first',
      [
        { event: 'agentFlowExecutedData', data: [asking('Send this?')] },
        { event: 'action', data: action },
      ],
    ],
    [
      'the question first',
      [
        { event: 'action', data: action },
        { event: 'agentFlowExecutedData', data: [asking('Send this?')] },
      ],
    ],
  ])('reads the question when %s arrives', (_name, events) => {
    expect(questionOf(answerAfter({ event: 'token', data: 'before' }, ...events))).toBe('Send this?')
  })

  it('keeps the ids of the execution and the message', () => {
    const answer = answerAfter({ event: 'metadata', data: { executionId: 'e', chatMessageId: 'm' } })
    expect([answer.executionId, answer.messageId]).toEqual(['e', 'm'])
  })
})

describe('turnsOf', () => {
  const question = { id: '1', role: 'userMessage' as const, content: 'Write to Ann', executionId: 'run' }
  const asks = { id: '2', role: 'apiMessage' as const, content: 'Send this?', executionId: 'run', action }
  const said = { id: '3', role: 'userMessage' as const, content: 'Send it', executionId: 'run' }
  const execution = (state: RunState) => ({ id: 'run', state, error: null, form: null })

  it.each<[string, StoredMessage[], string[]]>([
    ['the run waits', [question, { ...asks, execution: execution('STOPPED') }], ['waiting']],
    ['the run was stopped', [question, { ...asks, execution: execution('TERMINATED') }], ['stopped']],
    ['the run continues', [question, asks, { ...said, execution: execution('INPROGRESS') }], ['done', 'running']],
    [
      'the run asks again',
      [question, asks, said, { ...asks, id: '4' }].map((message) => ({ ...message, execution: execution('STOPPED') })),
      ['done', 'waiting'],
    ],
    [
      'another run follows',
      [question, { ...asks, execution: execution('STOPPED') }, { ...said, executionId: 'next' }],
      ['waiting', 'failed'],
    ],
  ])('restores the state of a turn when %s', (_name, messages, states) => {
    expect(toTurns(messages).map(({ answer }) => answer.state)).toEqual(states)
  })

  it('restores decisions with who made them, in their order', () => {
    const toolCalls = [{ tool: 'calculator', toolInput: { n: '6*7' } }]
    const mapping = { approve: 'Proceed', reject: 'Reject' }
    const by = { kind: 'user' as const, name: 'Ann' }
    const approvals = [
      { path: 'a', nodeLabel: 'Agent', mapping, toolCalls, answer: { type: 'proceed' as const, by }, at: '1' },
      {
        path: 'a',
        nodeLabel: 'Agent',
        mapping,
        toolCalls,
        answer: { type: 'reject' as const, feedback: 'No' },
        at: '2',
      },
    ]
    const run = { ...execution('FINISHED'), approvals }
    const user = (id: string, content: string) => ({ ...question, id, content, execution: run })
    const turns = toTurns([
      user('1', 'Add it up'),
      { ...asks, execution: run },
      user('3', 'Proceed'),
      { ...asks, id: '4', execution: run },
      user('5', 'No'),
      { id: '6', role: 'apiMessage', content: 'So I guess.', executionId: 'run', execution: run },
    ])
    expect(turns.map(({ decision }) => decision)).toEqual([undefined, ...approvals])
    const requested = { nodeLabel: 'Agent', calls: toolCalls }
    expect(turns.map(({ answer }) => answer.requested)).toEqual([requested, requested, undefined])
  })

  it('does not take a question of a replay for the decision that it reused', () => {
    const answer = { type: 'proceed' as const }
    const approval = { path: 'a', nodeLabel: 'Agent', mapping: action.mapping, toolCalls: null, answer, at: '1' }
    const run = { ...execution('FINISHED'), approvals: [approval] }
    expect(toTurns([{ ...question, execution: run }]).map(({ decision }) => decision)).toEqual([undefined])
  })

  it('says who decided when the team did, below the answer that followed', () => {
    const answer = { type: 'proceed' as const, by: { kind: 'team' as const } }
    const approval = { path: 'a', nodeLabel: 'Agent', mapping: action.mapping, toolCalls: null, answer, at: '1' }
    const run = { ...execution('FINISHED'), approvals: [approval] }
    const went: StoredMessage = { id: '9', role: 'apiMessage', content: 'Sent.', executionId: 'run', execution: run }
    const turns = toTurns([{ ...question, execution: run }, { ...asks, execution: run }, went])
    expect(turns.map((turn) => [turn.question === '', turn.answer.decided])).toEqual([
      [false, undefined],
      [true, 'Approved by the team'],
    ])
  })

  it('shows the stored text as the question', () => {
    const [turn] = toTurns([question, { ...asks, execution: execution('STOPPED') }])
    expect(turn && questionOf(turn.answer)).toBe('Send this?')
    expect(turn?.answer).toMatchObject({ action, executionId: 'run', isLive: false })
  })

  it('restores the steps and tokens of a run at its last answer', () => {
    const run = { ...execution('FINISHED'), stepCount: 3, totalTokens: 42, totalCost: 0.5 }
    const answers = toTurns([
      question,
      { ...asks, action: null, execution: run },
      said,
      { ...asks, id: '4', action: null, execution: run },
    ]).map(({ answer }) => [answer.stepCount, answer.usage])
    expect(answers).toEqual([
      [undefined, undefined],
      [3, { total_tokens: 42, total_cost: 0.5 }],
    ])
  })

  it('shows a run that was stopped before it said anything as stopped, with its tokens', () => {
    const run = { ...execution('TERMINATED'), error: 'Flow execution was canceled', stepCount: 2, totalTokens: 7 }
    const [stopped] = toTurns([{ ...question, execution: run }])
    expect(stopped?.answer).toMatchObject({ state: 'stopped', error: undefined, usage: { total_tokens: 7 } })
    const limited = { ...run, error: 'The limit of 10 steps was reached', endedBy: 'steps' as const }
    const [atLimit] = toTurns([{ ...question, execution: limited }])
    expect(atLimit?.answer).toMatchObject({ state: 'stopped', error: 'The limit of 10 steps was reached' })
  })

  it('pairs questions with answers and marks unanswered ones as failed', () => {
    const turns = toTurns([
      { id: '1', role: 'userMessage', content: 'a' },
      { id: '2', role: 'apiMessage', content: 'b', executionId: 'x' },
      {
        id: '3',
        role: 'userMessage',
        content: 'c',
        execution: { id: 'y', state: 'ERROR', error: 'broken', form: null },
      },
    ])
    expect(turns.map((turn) => [turn.question, turn.answer.text, turn.answer.state, turn.answer.error])).toEqual([
      ['a', 'b', 'done', undefined],
      ['c', '', 'failed', 'broken'],
    ])
  })

  it.each([
    ['a list', ['And then?']],
    ['the text of a list', '["And then?"]'],
    ['the text of such a text', '"[\\"And then?\\"]"'],
  ])('restores the follow-up questions of an answer from %s', (_, followUpPrompts) => {
    const [turn] = toTurns([question, { ...asks, action: null, followUpPrompts: followUpPrompts as never }])
    expect(turn?.answer.followUps).toEqual(['And then?'])
  })
})
